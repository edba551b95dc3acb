/** Desired state of the cluster, as far as this leader has received it; drift is repaired from it. */
import type { ResourceKind } from '@meshrelay/relay-core';
import type { DesiredOutput } from './admit-output.ts';

/** Known desired state of one object. */
export type DesiredState =
  | { readonly state: 'object'; readonly output: DesiredOutput; readonly restored?: true }
  /** The output was sent and rejected, or the server keeps the object as it is: the object stays unchanged. */
  | { readonly state: 'as-is' }
  /** The object must be deleted if it is managed. */
  | { readonly state: 'nothing' };

export class DesiredTable {
  readonly #states = new Map<string, DesiredState>();
  /** By object: the hash of the output that the previous leader recorded as desired. */
  readonly #noted = new Map<string, string>();
  readonly #listeners = new Set<(id: string) => void>();
  #complete = false;

  /** Undefined: the server has not mentioned the object. */
  get(id: string): DesiredState | undefined {
    const known = this.#states.get(id);
    // Once the table is complete, an object that it does not contain is not desired.
    return known ?? (this.#complete ? { state: 'nothing' } : undefined);
  }

  /** Whether the server has sent all desired outputs, so an object missing from the table is not desired. */
  get complete(): boolean {
    return this.#complete;
  }

  setComplete(complete: boolean): void {
    this.#complete = complete;
  }

  /** Registers a listener for objects whose desired state changes. @returns a function that unregisters it */
  listen(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  desire(output: DesiredOutput): void {
    const before = this.#states.get(output.id);
    this.#states.set(output.id, { state: 'object', output });
    if (before?.state !== 'object' || before.output.hash !== output.hash) this.#changed(output.id);
  }

  /** Restores an output that the previous leader recorded as desired. Outputs from the server take precedence. */
  restore(output: DesiredOutput): void {
    this.#noted.set(output.id, output.hash);
    if (!this.#states.has(output.id)) this.#states.set(output.id, { state: 'object', output, restored: true });
  }

  /**
   * Whether the previous leader desired the same output. It removes an output from its record before it deletes the
   * object; so no delete of this output can be in flight.
   */
  wasDesired({ id, hash }: DesiredOutput): boolean {
    return this.#noted.get(id) === hash;
  }

  /** The server has sent all desired outputs: drops restored outputs that are not among them. */
  dropRestored(isDesired: (output: DesiredOutput) => boolean): void {
    for (const [id, desired] of [...this.#states]) {
      if (desired.state !== 'object' || desired.restored !== true || isDesired(desired.output)) continue;
      this.#states.delete(id);
      this.#changed(id);
    }
  }

  /** A version of the output was rejected: the last admitted version stays desired. */
  refuse(id: string): void {
    if (this.#states.get(id)?.state !== 'object') this.#states.set(id, { state: 'as-is' });
  }

  remove(id: string): void {
    this.#states.set(id, { state: 'nothing' });
    this.#changed(id);
  }

  /** The undesired object is deleted. */
  settle(id: string): void {
    if (this.#states.get(id)?.state === 'nothing') this.#states.delete(id);
  }

  #changed(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** Number of desired objects. */
  get size(): number {
    return this.#states.values().reduce((count, { state }) => count + Number(state === 'object'), 0);
  }

  *outputs(): Generator<DesiredOutput> {
    for (const desired of this.#states.values()) if (desired.state === 'object') yield desired.output;
  }

  /** Number of desired objects, by kind. */
  counts(): ReadonlyMap<ResourceKind, number> {
    const counts = new Map<ResourceKind, number>();
    for (const { kind } of this.outputs()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}
