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

export interface PatchWatchOptions {
  readonly rights: PatchPermissions;
  /** Objects that are patched or must be patched now. */
  readonly patched: () => Iterable<PatchedObject>;
  /** Called when the object of this patch has changed. */
  readonly changed: (patch: PatchedObject) => void;
}

export class PatchWatch implements KindReader {
  readonly needs = 'meaning';
  readonly kinds: readonly ResourceKind[];
  readonly #options: PatchWatchOptions;

  constructor(options: PatchWatchOptions) {
    this.#options = options;
    this.kinds = options.rights.kinds;
  }

  take(kind: ResourceKind, { upserts, removed, complete }: Tick): void {
    const touched = new Set([...upserts.map(({ metadata }) => metadata), ...removed].map(locationOf));
    if (touched.size === 0 && !complete) return;
    for (const patch of this.#options.patched()) {
      if (patch.kind !== kind.kind || patch.apiVersion !== apiVersionOf(kind)) continue;
      if (complete || touched.has(locationOf(patch))) this.#options.changed(patch);
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
