// Refuses what no JSON document of ours needs and what could harm code that walks it.
import type { FieldPath } from '../text/field-path.ts';
import { type ShapeProblem, shapeProblem } from './shape-problem.ts';

/** Objects nested deeper than this are refused, so that no walk over them runs out of stack. */
export const MAX_DEPTH = 64;

/** Names through which an object could reach the prototype of others. `constructor` is a proper label key and harmless. */
const FORBIDDEN = '__proto__';

/** The first reason not to take `value` as JSON: a `__proto__` key, too deep nesting, a cycle, or no JSON value at all. */
export function jsonProblem(
  value: unknown,
  path: FieldPath = [],
  seen: Set<object> = new Set(),
): ShapeProblem | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : shapeProblem(path, `must be finite, got ${value}`);
  if (typeof value !== 'object') return shapeProblem(path, `must be a JSON value, got ${typeof value}`);
  if (path.length > MAX_DEPTH) return shapeProblem(path, `is nested more than ${MAX_DEPTH} levels deep`);
  // YAML aliases share nodes: each is walked once, or a small file could mean endless work.
  if (seen.has(value)) return undefined;
  seen.add(value);
  if (Array.isArray(value)) return firstProblem(value.entries(), path, seen);
  if (!isPlain(value)) return shapeProblem(path, 'must be a JSON value, got an object of a class');
  if (Object.hasOwn(value, FORBIDDEN))
    return shapeProblem([...path, FORBIDDEN], 'is not allowed as the name of a field');
  return firstProblem(Object.entries(value), path, seen);
}

function firstProblem(
  entries: Iterable<[string | number, unknown]>,
  path: FieldPath,
  seen: Set<object>,
): ShapeProblem | undefined {
  for (const [step, value] of entries) {
    const problem = jsonProblem(value, [...path, step], seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
