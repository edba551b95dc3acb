/** Feeds discovery from the watches, and reports when all kinds that it reads are synced. */
import type { KubeObject } from '@meshrelay/api';
import type { ObjectKey } from '@meshrelay/kube';
import { type Key, kindKey, objectKey, type ResourceKind, type Source, type Transaction } from '@meshrelay/relay-core';
import type { KindReader, Tick } from '../input/tick.ts';
import type { DiscoveryLoop, DiscoveryWrite } from './discovery-loop.ts';

export interface DiscoveryReaderOptions {
  readonly loop: DiscoveryLoop;
  /** Called when all objects of all kinds that discovery reads are in the graph, or no longer are. */
  readonly knownChanged: (known: boolean) => void;
  /** Called when objects of a kind could not be ingested; the kind does not count as synced. */
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
    const { loop } = this.#options;
    const entries = upserts.map((object) => [objectKey(object), object] as const);
    const there = new Set(entries.map(([key]) => key));
    const gone = removed.map(nameKey).filter((key) => !there.has(key));
    const write = (into: (transaction: Transaction, source: Source<KubeObject>) => void): DiscoveryWrite => {
      return (transaction, { inputs }) => {
        const source = inputs.get(kindKey(kind));
        if (source !== undefined) into(transaction, source);
      };
    };
    const takeAll = write((transaction, source) => {
      // An object missing from a list was not observed to be deleted.
      if (complete) for (const key of gone) transaction.delete(source, key);
      if (all) transaction.replaceAll(source, entries);
      else for (const [key, object] of entries) transaction.set(source, key, object);
    });
    const deleteAll = write((transaction, source) => {
      for (const key of gone) transaction.delete(source, key);
    });
    const written = Promise.all([
      complete || entries.length > 0 ? loop.write(takeAll) : undefined,
      !complete && gone.length > 0 ? loop.write(deleteAll, true) : undefined,
    ]);
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

function nameKey({ namespace, name }: ObjectKey): Key {
  return objectKey({ metadata: { name, ...(namespace !== undefined && { namespace }) } });
}
