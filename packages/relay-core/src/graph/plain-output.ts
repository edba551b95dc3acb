/** Validates the return values of user functions: plain data and iterables, never a promise. */
import { GraphError } from './errors.ts';

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** The error for a returned promise. Handles the promise's rejection, so that it does not end the process. */
export function refusePromise(promise: PromiseLike<unknown>, what: string): GraphError {
  promise.then(undefined, () => undefined);
  return new GraphError('GRAPH_E_ASYNC', `${what} returned a promise: return plain data, and do I/O before the commit`);
}

/** Returns the value. @throws GRAPH_E_ASYNC if it is a promise */
export function atOnce<T>(value: T, what: string): T {
  if (isThenable(value)) throw refusePromise(value, what);
  return value;
}

/** Returns the value. @throws GRAPH_E_ASYNC if it is a promise, GRAPH_E_OUTPUT if it is not iterable */
export function iterableOf<T>(value: Iterable<T>, what: string): Iterable<T> {
  atOnce(value, what);
  if (typeof (value as { [Symbol.iterator]?: unknown } | undefined | null)?.[Symbol.iterator] === 'function')
    return value;
  throw new GraphError('GRAPH_E_OUTPUT', `${what} returned ${typeof value}: return an array or another iterable`);
}

/** The validated pairs of an iterable. @throws GRAPH_E_OUTPUT, GRAPH_E_ASYNC */
export function pairsOf<K extends string, V>(
  value: Iterable<readonly [K, V]>,
  what: string,
): ReadonlyArray<readonly [K, V]> {
  const pairs = [...iterableOf(value, what)];
  for (const pair of pairs) {
    if (Array.isArray(pair) && typeof pair[0] === 'string' && pair[1] !== undefined) atOnce(pair[1], what);
    else throw notAPair(what);
  }
  return pairs;
}

function notAPair(what: string): GraphError {
  const message = `${what} gave something that is not [key, value]: make keys with key(), and leave out what is undefined`;
  return new GraphError('GRAPH_E_OUTPUT', message);
}
