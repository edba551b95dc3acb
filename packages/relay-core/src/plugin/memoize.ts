/** Making something from an object once, however often it is asked for: settings of one policy stand in the views of thousands of destinations. */

/**
 * A function that gives for the very same object the very same result, made at its first call. `make` must be pure, and the object must never
 * change, as nothing in a view does. Results are forgotten with their objects.
 */
export function memoize<Of extends object, Result extends object | string>(
  make: (of: Of) => Result,
): (of: Of) => Result {
  const results = new WeakMap<Of, Result>();
  return (of) => {
    const known = results.get(of);
    if (known !== undefined) return known;
    const result = make(of);
    results.set(of, result);
    return result;
  };
}

/** What {@link clearMemoized} forgets. */
const untilRest: Array<() => void> = [];

/** Has something forgotten whenever nothing is to be done for a while. To be called once for each, at the top of a module. */
export function onCompaction(forget: () => void): void {
  untilRest.push(forget);
}

/**
 * The same until nothing is to be done for a while: for what only leads to what is kept, as routes do to objects. It is asked for thousands of times within one
 * commit, and hardly ever after it, when it would only take room. To be made once, at the top of a module.
 */
export function memoizeUntilCompaction<Of extends object, Result extends object | string>(
  make: (of: Of) => Result,
): (of: Of) => Result {
  let known: ((of: Of) => Result) | undefined;
  onCompaction(() => {
    known = undefined;
  });
  return (of) => {
    known ??= memoize(make);
    return known(of);
  };
}

/** Forgets all results of {@link memoizeUntilCompaction}, and what else {@link onCompaction} was told of: it is made again when asked for. */
export function clearMemoized(): void {
  for (const forget of untilRest) forget();
}

/**
 * The same as {@link memoize} for what depends on one of few objects that very many share, as lists of ports are: results are held for as long as the function
 * is, and so are those objects. To be made for each of what may go, by {@link memoize}: a map costs the collector far less than another weak one.
 */
export function memoizeFew<Of extends object, Result>(make: (of: Of) => Result): (of: Of) => Result {
  // Mostly there is only one, which needs no map: with very many such functions, maps of one entry add up.
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
