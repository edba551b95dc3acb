/** Who is told of finished commits. */
import type { ChangeSet } from './collection.ts';
import { GraphError } from './errors.ts';

type Listener = (changes: ChangeSet) => void;

/** Every listener gets every commit in order, also when a listener itself commits: that one is told after the present one. */
export class Listeners {
  readonly #listeners = new Set<{ readonly call: Listener }>();
  readonly #waiting: ChangeSet[] = [];
  #reporting = false;

  /** @returns the way to stop */
  add(call: Listener): () => void {
    const entry = { call };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** @throws GRAPH_E_LISTENER with all that the listeners threw, after every one of them was told */
  notify(changes: ChangeSet): void {
    this.#waiting.push(changes);
    if (this.#reporting) return;
    const errors: unknown[] = [];
    this.#reporting = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          if (this.#listeners.has(listener)) listener.call(next);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    this.#reporting = false;
    if (errors.length === 0) return;
    const cause = errors.length === 1 ? errors[0] : new AggregateError(errors);
    throw new GraphError('GRAPH_E_LISTENER', 'a listener threw; the commit itself is published', { cause });
  }
}
