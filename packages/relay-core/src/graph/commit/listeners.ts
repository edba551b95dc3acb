/** Listeners for finished commits. */
import type { ChangeSet } from '../collection.ts';
import { GraphError } from '../errors.ts';

type Listener = (changes: ChangeSet) => void;

/** Every listener receives every commit in order. A commit made by a listener is delivered after the current one. */
export class Listeners {
  readonly #listeners = new Set<{ readonly call: Listener }>();
  readonly #waiting: ChangeSet[] = [];
  #reporting = false;

  /** @returns a function that removes the listener */
  add(call: Listener): () => void {
    const entry = { call };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Calls every listener. @throws GRAPH_E_LISTENER with all errors that listeners threw */
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
