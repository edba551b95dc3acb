// Refuses what no JSON document of ours needs and what could harm code that walks it.
import type { FieldPath } from '../text/field-path.ts';
import { type ShapeProblem, shapeProblem } from './shape-problem.ts';

/** Objects nested deeper than this are refused, so that no walk over them runs out of stack. */
export const MAX_DEPTH = 64;

/** The name through which an object could reach the prototype of others. `constructor` is a proper label key and harmless. */
const FORBIDDEN = '__proto__';

/** The first reason not to take `value` as JSON: a `__proto__` key, too deep nesting, a cycle, or no JSON value at all. */
export function jsonProblem(value: unknown): ShapeProblem | undefined {
  const walk = new Walk();
  walk.height(value, []);
  return walk.problem;
}

/** One walk over a value, which ends at the first problem. */
class Walk {
  problem: ShapeProblem | undefined;
  /** Levels below each node already walked: YAML aliases share nodes, and a small file could mean endless work. */
  readonly #heights = new Map<object, number>();
  readonly #open = new Set<object>();

  /** How many levels of lists and objects `value` is, itself included; meaningless once there is a problem. */
  height(value: unknown, path: FieldPath): number {
    if (typeof value !== 'object' || value === null) return this.#leaf(value, path);
    const known = this.#heights.get(value);
    if (known !== undefined) return this.#within(known, path);
    if (this.#open.has(value)) return this.#fail(path, 'contains itself');
    if (path.length >= MAX_DEPTH) return this.#fail(path, `is nested more than ${MAX_DEPTH} levels deep`);
    if (!Array.isArray(value) && !isPlain(value))
      return this.#fail(path, 'must be a JSON value, got an object of a class');
    if (Object.hasOwn(value, FORBIDDEN))
      return this.#fail([...path, FORBIDDEN], 'is not allowed as the name of a field');
    this.#open.add(value);
    const height = 1 + this.#tallest(Array.isArray(value) ? value.entries() : Object.entries(value), path);
    this.#open.delete(value);
    this.#heights.set(value, height);
    return height;
  }

  #tallest(entries: Iterable<[string | number, unknown]>, path: FieldPath): number {
    let tallest = 0;
    for (const [step, value] of entries) {
      tallest = Math.max(tallest, this.height(value, [...path, step]));
      if (this.problem !== undefined) break;
    }
    return tallest;
  }

  #leaf(value: unknown, path: FieldPath): number {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return 0;
    if (typeof value !== 'number') return this.#fail(path, `must be a JSON value, got ${typeof value}`);
    return Number.isFinite(value) ? 0 : this.#fail(path, `must be finite, got ${value}`);
  }

  /** A shared node may stand deeper here than where it was walked. */
  #within(height: number, path: FieldPath): number {
    if (path.length + height <= MAX_DEPTH) return height;
    return this.#fail(path, `is nested more than ${MAX_DEPTH} levels deep`);
  }

  #fail(path: FieldPath, complaint: string): number {
    this.problem ??= shapeProblem(path, complaint);
    return 0;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
