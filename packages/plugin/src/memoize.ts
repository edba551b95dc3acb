/**
 * Memoization of values derived from an object: settings of one policy occur in the views of thousands of destinations.
 */

/**
 * A function that returns the same result for the same object, computed at its first call. `make` must be pure, and the
 * object must never change, like everything in a view. Results are collected with their objects.
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

/** The callbacks of {@link clearMemoized}. */
const untilRest: Array<() => void> = [];

/**
 * Registers a callback that clears caches whenever the process is idle. Call it once for each cache, at the top of a
 * module.
 */
export function onCompaction(forget: () => void): void {
  untilRest.push(forget);
}

/**
 * The same until the process is idle: for intermediate values, as routes are for objects. They are read thousands of
 * times within one commit and hardly ever after it, when they would only take memory. Create it once, at the top of a
 * module.
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

/**
 * Clears all results of {@link memoizeUntilCompaction}, and calls the callbacks of {@link onCompaction}: results are
 * computed again on demand.
 */
export function clearMemoized(): void {
  for (const forget of untilRest) forget();
}
