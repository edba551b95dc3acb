/** Feeds discovery from the watches, and says when all it reads is known in full. */
import { kindKey, objectKey, type ResourceKind } from '@meshrelay/relay-core';
import type { KindReader, Tick } from '../input/tick.ts';
import type { DiscoveryLoop } from './discovery-loop.ts';

export interface DiscoveryReaderOptions {
  readonly loop: DiscoveryLoop;
  /** All objects of all kinds that discovery reads are in the graph, or no longer are. */
  readonly knownChanged: (known: boolean) => void;
  /** Objects of a kind could not be taken in; the kind does not count as known. */
  readonly onError: (kind: ResourceKind, error: unknown) => void;
}

export class DiscoveryReader implements KindReader {
  readonly needs = 'meaning';
  readonly kinds: readonly ResourceKind[];
  readonly #options: DiscoveryReaderOptions;
  readonly #known = new Set<string>();

  constructor(options: DiscoveryReaderOptions) {
    this.#options = options;
    this.kinds = options.loop.discovery.watches;
  }

  take(kind: ResourceKind, { all, upserts, removed, complete }: Tick): void {
    const entries = upserts.map((object) => [objectKey(object), object] as const);
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
      for (const [key, object] of entries) transaction.set(source, key, object);
    });
    written.then(
      () => {
        if (complete) this.#mark(kind, true);
      },
      (error: unknown) => this.#options.onError(kind, error),
    );
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
