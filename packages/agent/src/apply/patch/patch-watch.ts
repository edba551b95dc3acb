/** Sees when an object that is patched changes, comes or goes. */
import type { ObjectKey } from '@meshrelay/kube';
import { apiVersionOf, type ResourceKind } from '@meshrelay/relay-core';
import type { KindReader, Tick } from '../../input/tick.ts';
import type { PatchPermissions } from './patch-permissions.ts';

/** An object that is patched, and its patch. */
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
  /** What is patched, or to be patched, now. */
  readonly patched: () => Iterable<PatchedObject>;
  /** The object of this patch is not what it was. */
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
