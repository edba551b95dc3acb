/** The paths in which two versions of an object differ. */
import { deepEqual } from '../graph/deep-equal.ts';

/**
 * Paths such as `spec.http[0].retries`, as short as possible. Elements of lists of different lengths are compared by
 * content.
 */
export function differingPaths(left: unknown, right: unknown, path: string = ''): string[] {
  if (deepEqual(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) return inLists(left, right, path);
  if (!isRecord(left) || !isRecord(right)) return [path];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => {
    const at = `${path}${path === '' ? '' : '.'}${name}`;
    return name in left && name in right ? differingPaths(left[name], right[name], at) : [at];
  });
}

function inLists(left: readonly unknown[], right: readonly unknown[], path: string): string[] {
  if (left.length === right.length)
    return left.flatMap((element, index) => differingPaths(element, right[index], `${path}[${index}]`));
  const gone = left.flatMap((element, index) =>
    right.some((other) => deepEqual(element, other)) ? [] : [`${path}[${index}]`],
  );
  return gone.length === 0 || gone.length === left.length ? [path] : gone;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
