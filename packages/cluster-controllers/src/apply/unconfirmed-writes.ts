/** Writes without a response: each may still land as long as the object has the version that the write names. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { LiveObjects } from './live-objects.ts';

export class UnconfirmedWrites {
  /** Versions that those writes name, by object; undefined for a create. */
  readonly #versions = new Map<string, string | undefined>();
  readonly #live: Pick<LiveObjects, 'get'>;

  constructor(live: Pick<LiveObjects, 'get'>) {
    this.#live = live;
  }

  /** A write of this version of the object got no response. */
  raise(id: string, there: KubeObject | undefined): void {
    this.#versions.set(id, there?.metadata.resourceVersion);
  }

  /** A later write got a response, so the object has another version. @returns whether a write was unconfirmed */
  settle(id: string): boolean {
    return this.#versions.delete(id);
  }

  /** Whether an unconfirmed write may still land on the object in its current version. */
  has({ id, kind }: { readonly id: string; readonly kind: ResourceKind }): boolean {
    const there = this.#live.get(kind, id)?.object;
    return this.#versions.has(id) && this.#versions.get(id) === there?.metadata.resourceVersion;
  }
}
