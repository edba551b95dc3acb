/** Outputs that were not applied, as the server was informed of them. */
import type { ResourceKind } from '@meshrelay/relay-core';
import type { AgentRejection } from '@meshrelay/relay-protocol';

export class RefusedOutputs {
  readonly #byId = new Map<string, AgentRejection>();
  readonly #listeners = new Set<(kind: ResourceKind) => void>();

  get size(): number {
    return this.#byId.size;
  }

  values(): Iterable<AgentRejection> {
    return this.#byId.values();
  }

  add(id: string, rejection: AgentRejection): void {
    this.#byId.set(id, rejection);
  }

  /** The server learns from its own batch that the output is applied. */
  delete(id: string): void {
    this.#byId.delete(id);
  }

  /** A repair applied the output, which the server does not know yet: listeners are notified. */
  repaired(id: string, kind: ResourceKind): void {
    if (this.#byId.delete(id)) for (const listener of this.#listeners) listener(kind);
  }

  /** Registers a listener for repaired outputs. @returns a function that unregisters it */
  listen(listener: (kind: ResourceKind) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
