/** Memoization for few objects that very many values share. */

/**
 * The same as `memoize` for few objects that very many values share, such as lists of ports. The function holds
 * its results and those objects as long as it lives. Create one for each collectable object, by `memoize`: for
 * the garbage collector, a map is far cheaper than another weak map.
 */
export function memoizeFew<Of extends object, Result>(make: (of: Of) => Result): (of: Of) => Result {
  // Usually there is only one, which needs no map: with very many such functions, maps of one entry add up.
  let first: { readonly of: Of; readonly result: Result } | undefined;
  let others: Map<Of, Result> | undefined;
  return (of) => {
    if (first?.of === of) return first.result;
    const known = others?.get(of);
    if (known !== undefined) return known;
    const result = make(of);
    if (first === undefined) first = { of, result };
    else {
      others ??= new Map();
      others.set(of, result);
    }
    return result;
  };
}
