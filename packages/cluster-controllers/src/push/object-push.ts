/** Pushes objects of the cluster unchanged: policies, and all objects of the kinds that plugins write. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import { entryId, kindId, type ObjectTable } from '@meshrelay/relay-protocol';
import type { KindReader, Tick } from '../input/tick.ts';
import { envelopeOf, relayKey } from './envelopes.ts';

export class ObjectPush implements KindReader {
  readonly needs = 'meaning';
  readonly kinds: readonly ResourceKind[];
  readonly #table: ObjectTable;
  readonly #sent: (object: KubeObject) => KubeObject;

  /** @param sent reduces an object to the part that the server receives; by default all of it */
  constructor(
    table: ObjectTable,
    kinds: readonly ResourceKind[],
    sent: (object: KubeObject) => KubeObject = (object) => object,
  ) {
    this.#table = table;
    this.#sent = sent;
    this.kinds = kinds;
  }

  take(kind: ResourceKind, { all, upserts, removed, complete }: Tick): void {
    const table = this.#table;
    const envelopes = upserts.map((object) => envelopeOf(kind, this.#sent(object)));
    // An object missing from a list was not observed to be deleted: the server must find it missing by comparison and
    // must not receive a deletion.
    if (complete) table.markUnsynced(kind);
    if (all) this.#deleteOthers(kind, new Set(envelopes.map(entryId)));
    // An object that was removed and recreated is sent in its current version.
    for (const key of removed) table.delete(relayKey(kind, key));
    for (const envelope of envelopes) table.upsert(envelope);
    if (complete) table.markSynced(kind);
  }

  lost(kind: ResourceKind): void {
    this.#table.markUnsynced(kind);
  }

  #deleteOthers(kind: ResourceKind, present: ReadonlySet<string>): void {
    for (const [entry, { envelope }] of [...this.#table.content.entries(kindId(kind))]) {
      if (!present.has(entry)) this.#table.delete(envelope);
    }
  }
}
