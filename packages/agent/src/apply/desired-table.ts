/** What the cluster is to have, as far as this leader was told: what drift is repaired from. */
import type { ResourceKind } from '@meshrelay/relay-core';
import type { DesiredOutput } from './admit-output.ts';

/** What is known to be wanted of one object. */
export type DesiredState =
  | { readonly state: 'object'; readonly output: DesiredOutput; readonly restored?: true }
  /** It was sent and refused, or the server wants it kept: whatever the cluster has of it stays. */
  | { readonly state: 'as-is' }
  /** It is to go, if it is ours. */
  | { readonly state: 'nothing' };

export class DesiredTable {
  readonly #states = new Map<string, DesiredState>();
  /** By object: the hash of what the leader before this one had noted down that it wanted. */
  readonly #noted = new Map<string, string>();
  readonly #listeners = new Set<(id: string) => void>();
  #complete = false;

  /** Undefined: nothing was said of the object. */
  get(id: string): DesiredState | undefined {
    const known = this.#states.get(id);
    // Once everything is known, what was not spoken of is not wanted.
    return known ?? (this.#complete ? { state: 'nothing' } : undefined);
  }

  /** Whether all that is wanted was told, so that silence about an object means that it is not wanted. */
  get complete(): boolean {
    return this.#complete;
  }

  setComplete(complete: boolean): void {
    this.#complete = complete;
  }

  /** Calls back when an object is wanted otherwise, or no longer. @returns what ends it */
  listen(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  desire(output: DesiredOutput): void {
    const before = this.#states.get(output.id);
    this.#states.set(output.id, { state: 'object', output });
    if (before?.state !== 'object' || before.output.hash !== output.hash) this.#changed(output.id);
  }

  /** It was wanted by the leader before this one, as far as that one could still note down. What the server says goes before. */
  restore(output: DesiredOutput): void {
    this.#noted.set(output.id, output.hash);
    if (!this.#states.has(output.id)) this.#states.set(output.id, { state: 'object', output, restored: true });
  }

  /** Whether the leader before this one wanted the same. Before it deletes something it notes that down; so nothing of it can be under way that would. */
  wasDesired({ id, hash }: DesiredOutput): boolean {
    return this.#noted.get(id) === hash;
  }

  /** The server has told all that is wanted: of what was restored, the rest is not. */
  dropRestored(isDesired: (output: DesiredOutput) => boolean): void {
    for (const [id, desired] of [...this.#states]) {
      if (desired.state !== 'object' || desired.restored !== true || isDesired(desired.output)) continue;
      this.#states.delete(id);
      this.#changed(id);
    }
  }

  /** A version of it could not be taken in: the last good one stays wanted. */
  refuse(id: string): void {
    if (this.#states.get(id)?.state !== 'object') this.#states.set(id, { state: 'as-is' });
  }

  remove(id: string): void {
    this.#states.set(id, { state: 'nothing' });
    this.#changed(id);
  }

  /** It is to go and is gone. */
  settle(id: string): void {
    if (this.#states.get(id)?.state === 'nothing') this.#states.delete(id);
  }

  #changed(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** How many objects are wanted. */
  get size(): number {
    return this.#states.values().reduce((count, { state }) => count + Number(state === 'object'), 0);
  }

  *outputs(): Generator<DesiredOutput> {
    for (const desired of this.#states.values()) if (desired.state === 'object') yield desired.output;
  }

  /** How many objects are wanted, by kind. */
  counts(): ReadonlyMap<ResourceKind, number> {
    const counts = new Map<ResourceKind, number>();
    for (const { kind } of this.outputs()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}
