// Rejects constructs that no Meshrelay JSON document needs and that could harm code that walks it.
import { type ShapeProblem, shapeProblem } from './shape-problem.ts';

/** Objects nested deeper than this are rejected, so that no walk over them overflows the stack. */
export const MAX_DEPTH = 64;

/** A key that could reach the prototype of other objects. `constructor` is a valid label key and harmless. */
const FORBIDDEN = '__proto__';
const OPEN = -1;

/**
 * The first reason to reject `value` as JSON: a `__proto__` key, too deep nesting, a cycle, or a value that is not
 * JSON.
 */
export function jsonProblem(value: unknown): ShapeProblem | undefined {
  const walk = new Walk();
  walk.height(value);
  return walk.problem;
}

/**
 * One walk over a value, which ends at the first problem. Every object from every cluster is checked, so it copies
 * nothing.
 */
class Walk {
  problem: ShapeProblem | undefined;
  /** The path of the current value. */
  readonly #path: (string | number)[] = [];
  /**
   * Levels of each visited node, {@link OPEN} during its walk. YAML aliases share nodes; walking a node for each alias
   * could mean endless work for a small file.
   */
  readonly #heights = new Map<object, number>();

  /** Number of nested levels of lists and objects of `value`, including itself; meaningless after a problem. */
  height(value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.#leaf(value);
    const known = this.#heights.get(value);
    if (known !== undefined) return this.#shared(known);
    if (this.#path.length >= MAX_DEPTH) return this.#tooDeep();
    this.#heights.set(value, OPEN);
    const height = 1 + (Array.isArray(value) ? this.#tallestItem(value) : this.#tallestField(value));
    this.#heights.set(value, height);
    return height;
  }

  #tallestItem(list: readonly unknown[]): number {
    let tallest = 0;
    for (let index = 0; index < list.length && this.problem === undefined; index++) {
      tallest = Math.max(tallest, this.#below(index, list[index]));
    }
    return tallest;
  }

  #tallestField(object: object): number {
    if (!isPlain(object)) return this.#fail('must be a JSON value, got an object of a class');
    let tallest = 0;
    for (const name of Object.keys(object)) {
      const value = name === FORBIDDEN ? undefined : (object as Readonly<Record<string, unknown>>)[name];
      tallest = Math.max(tallest, this.#below(name, value));
      if (this.problem !== undefined) break;
    }
    return tallest;
  }

  #below(step: string | number, value: unknown): number {
    this.#path.push(step);
    const height = step === FORBIDDEN ? this.#fail('is not allowed as the name of a field') : this.height(value);
    this.#path.pop();
    return height;
  }

  #leaf(value: unknown): number {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return 0;
    if (typeof value !== 'number') return this.#fail(`must be a JSON value, got ${typeof value}`);
    return Number.isFinite(value) ? 0 : this.#fail(`must be finite, got ${value}`);
  }

  /** A node visited before; here it may be nested deeper. */
  #shared(height: number): number {
    if (height === OPEN) return this.#fail('contains itself');
    return this.#path.length + height <= MAX_DEPTH ? height : this.#tooDeep();
  }

  #tooDeep(): number {
    return this.#fail(`is nested more than ${MAX_DEPTH} levels deep`);
  }

  #fail(complaint: string): number {
    this.problem ??= shapeProblem([...this.#path], complaint);
    return 0;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
