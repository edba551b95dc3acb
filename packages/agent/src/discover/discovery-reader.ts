/** Feeds discovery from the watches, and says when all it reads is known in full. */
import type { KubeObject } from '@meshrelay/api';
import { kindKey, objectKey, type ResourceKind, withoutNoise } from '@meshrelay/relay-core';
import type { KindReader, Tick } from '../input/tick.ts';
import type { DiscoveryLoop } from './discovery-loop.ts';

export interface DiscoveryReaderOptions {
  readonly loop: DiscoveryLoop;
  /** All objects of all kinds that discovery reads are in the graph, or no longer are. */
  readonly knownChanged: (known: boolean) => void;
}

export class DiscoveryReader implements KindReader {
  readonly kinds: readonly ResourceKind[];
  readonly #options: DiscoveryReaderOptions;
  readonly #known = new Set<string>();

  constructor(options: DiscoveryReaderOptions) {
    this.#options = options;
    this.kinds = options.loop.discovery.watches;
  }

  take(kind: ResourceKind, { all, upserts, removed, complete }: Tick): void {
    const entries = upserts.map((object) => [objectKey(object), withoutNoise(object)] as const);
    const written = this.#options.loop.write((transaction, { inputs }) => {
      const source = inputs.get(kindKey(kind));
      if (source === undefined) return;
      if (all) {
        transaction.replaceAll(source, entries);
        return;
      }
      for (const { namespace, name } of removed) {
        transaction.delete(source, objectKey({ metadata: { name, ...(namespace !== undefined && { namespace }) } }));
      }
      for (const [key, object] of entries) transaction.set(source, key, object as KubeObject);
    });
    if (complete) void written.then(() => this.#mark(kind, true));
  }

  lost(kind: ResourceKind): void {
    this.#mark(kind, false);
  }

  #mark(kind: ResourceKind, known: boolean): void {
    const before = this.#known.size === this.kinds.length;
    if (known) this.#known.add(kindKey(kind));
    else this.#known.delete(kindKey(kind));
    const after = this.#known.size === this.kinds.length;
    if (before !== after) this.#options.knownChanged(after);
  }
}
