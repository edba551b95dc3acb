/** Detects when a patched object changes, appears or disappears. */
import type { ObjectKey } from '@meshrelay/kube';
import { apiVersionOf, type ResourceKind } from '@meshrelay/relay-core';
import type { KindReader, Tick } from '../../input/tick.ts';
import type { PatchPermissions } from './patch-permissions.ts';

/** A patched object and its patch. */
export interface PatchedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Name of the patch. */
  readonly patch: string;
}

export class PatchWatch implements KindReader {
  readonly needs = 'meaning';
  readonly kinds: readonly ResourceKind[];
  readonly #patched: () => Iterable<PatchedObject>;
  readonly #listeners = new Set<(patch: PatchedObject) => void>();

  /** @param patched lists objects that are patched or must be patched now */
  constructor({ kinds }: PatchPermissions, patched: () => Iterable<PatchedObject>) {
    this.kinds = kinds;
    this.#patched = patched;
  }

  /** Calls back with each patch whose object has changed. */
  listen(listener: (patch: PatchedObject) => void): void {
    this.#listeners.add(listener);
  }

  take(kind: ResourceKind, { upserts, removed, complete }: Tick): void {
    const touched = new Set([...upserts.map(({ metadata }) => metadata), ...removed].map(locationOf));
    if (touched.size === 0 && !complete) return;
    for (const patch of this.#patched()) {
      if (patch.kind !== kind.kind || patch.apiVersion !== apiVersionOf(kind)) continue;
      if (complete || touched.has(locationOf(patch))) for (const listener of this.#listeners) listener(patch);
    }
  }

  lost(): void {}
}

function locationOf({
  namespace = '',
  name,
}: Pick<ObjectKey, 'name'> & { readonly namespace?: string | undefined }): string {
  return `${namespace}/${name}`;
}
