/**
 * Inventory of applied outputs, stored in the cluster. A new leader without a server connection repairs drift from it.
 * The inventory is written after outputs are applied and before objects are deleted, so it never restores a deleted
 * object; docs/adr/0037-applied-inventory.md.
 */
import { ADMIN_API_VERSION, type KubeObject, type OutputLedgerSpec } from '@meshrelay/api';
import { type Clock, SequentialQueue } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, outputLedgerKind } from '@meshrelay/kube';
import { OBJECT_PATCH, OBJECT_STATUS } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type AdmissionOptions, admitOutput, type DesiredOutput } from './admit-output.ts';
import type { DesiredTable } from './desired-table.ts';
import { type Fence, FencedError } from './fence.ts';
import { packShard, SHARDS, shardName, shardOf, unpackShard } from './inventory-shards.ts';

export interface InventoryOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly desired: DesiredTable;
  readonly fence: Fence;
  readonly admission: AdmissionOptions;
  /** Whether a write without a response may still change or delete an object. */
  readonly isUnconfirmed: (output: DesiredOutput) => boolean;
  readonly requestSignal: () => AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Minimum time between two writes of the inventory, in milliseconds. */
const PAUSE = 2_000;

export class AppliedInventory implements AsyncDisposable {
  readonly #options: InventoryOptions;
  readonly #dirty = new Set<number>();
  /** Stored shards, with the versions that writes depend on. */
  readonly #stored = new Map<number, KubeObject>();
  /** Outputs in each shard. */
  readonly #ids = new Map<number, ReadonlySet<string>>();
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;
  #writing: Promise<void> | undefined;
  readonly #writes = new SequentialQueue();

  private constructor(options: InventoryOptions) {
    this.#options = options;
    this.#unlisten = options.desired.listen((id) => this.#note(id));
  }

  /** Reads the inventory into the table of desired outputs. Skips what it cannot read: the server will send it. */
  static async open(options: InventoryOptions): Promise<AppliedInventory> {
    const inventory = new AppliedInventory(options);
    await inventory.#restore();
    return inventory;
  }

  /** Number of stored outputs. */
  get size(): number {
    return this.#ids.values().reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Removes outputs that are no longer desired. Await it before the objects are deleted: the next leader must not treat
   * them as desired.
   * @returns whether all of them have left the inventory
   */
  async forget(ids: readonly string[]): Promise<boolean> {
    const isThere = (id: string): boolean => this.#ids.get(shardOf(id))?.has(id) === true;
    const shards = new Set(ids.filter(isThere).map(shardOf));
    if (shards.size === 0) return true;
    for (const shard of shards) this.#dirty.add(shard);
    await this.#writes.run(() => this.#writeAll(shards));
    return !ids.some(isThere);
  }

  /** The result of a write is known again, so the inventory may record the object. */
  resolved(id: string): void {
    this.#note(id);
  }

  /** Stores pending changes, if this replica may still write. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten();
    this.#stop.abort();
    await this.#writing;
    await this.#writes.run(() => this.#writeAll(this.#dirty));
  }

  async #restore(): Promise<void> {
    const { connection, namespace, desired, admission, requestSignal, logger } = this.#options;
    const ledgers = connection.objects(outputLedgerKind);
    const names = new Map(Array.from({ length: SHARDS }, (_, shard) => [shardName(shard), shard]));
    let restored = 0;
    for (const ledger of await ledgers.list({ namespace, signal: requestSignal() })) {
      const shard = names.get(ledger.metadata.name);
      const text = (ledger.spec as Partial<OutputLedgerSpec> | undefined)?.outputs;
      if (shard === undefined) continue;
      this.#stored.set(shard, ledger);
      if (text === undefined) continue;
      try {
        const envelopes = unpackShard(text);
        this.#ids.set(shard, new Set(envelopes.map(objectId)));
        for (const envelope of envelopes) {
          const { output } = admitOutput(envelope, admission);
          if (output !== undefined && isRetained(output)) {
            desired.restore(output);
            restored++;
          }
        }
      } catch (error) {
        logger.warn('a part of the inventory cannot be read; the server sends it again', { shard, error });
      }
    }
    if (restored > 0) logger.info('outputs restored from the inventory', { count: restored });
  }

  #note(id: string): void {
    this.#dirty.add(shardOf(id));
    if (!this.#stop.signal.aborted) this.#writing ??= this.#writeSoon();
  }

  async #writeSoon(): Promise<void> {
    const { clock } = this.#options;
    while (this.#dirty.size > 0 && !this.#stop.signal.aborted) {
      await clock.sleep(PAUSE, this.#stop.signal);
      if (!this.#stop.signal.aborted) await this.#writes.run(() => this.#writeAll(this.#dirty));
    }
    this.#writing = undefined;
  }

  /** Never rejects: without an inventory the agent works, but drift repair waits for the server. */
  async #writeAll(shards: Iterable<number>): Promise<void> {
    for (const shard of [...shards]) {
      if (!this.#dirty.delete(shard)) continue;
      try {
        await this.#write(shard);
      } catch (error) {
        if (error instanceof FencedError) return;
        this.#dirty.add(shard);
        // Another writer has changed the shard: read it again before the next attempt.
        if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS')) await this.#reread(shard);
        else this.#options.logger.warn('the inventory of applied outputs cannot be stored', { shard, error });
      }
    }
  }

  async #write(shard: number): Promise<void> {
    const { connection, namespace, desired, fence, isUnconfirmed, requestSignal, logger } = this.#options;
    const ledgers = connection.objects(outputLedgerKind);
    const output = [...desired.outputs()].filter((output) => isRetained(output) && shardOf(output.id) === shard);
    // Excludes outputs that a write of this leader may still delete or change: the next leader cannot rely on them.
    const outputs = output.filter((output) => !isUnconfirmed(output));
    const stored = this.#stored.get(shard);
    if (outputs.length === 0 && stored === undefined) return;
    const { text, left } = packShard(outputs);
    if (left > 0) logger.warn('outputs do not fit into the inventory; only the server repairs their drift', { left });
    const spec: OutputLedgerSpec = { term: fence.term, outputs: text };
    const metadata = { namespace, name: shardName(shard) };
    const { kind } = outputLedgerKind;
    fence.check();
    const ledger =
      stored === undefined
        ? await ledgers.create({ apiVersion: ADMIN_API_VERSION, kind, metadata, spec }, { signal: requestSignal() })
        : await ledgers.replace({ ...stored, spec }, { signal: requestSignal() });
    this.#stored.set(shard, ledger);
    this.#ids.set(shard, new Set(outputs.map(({ id }) => id)));
  }

  async #reread(shard: number): Promise<void> {
    const { connection, namespace, fence, requestSignal } = this.#options;
    const found = await connection
      .objects(outputLedgerKind)
      .read({ namespace, name: shardName(shard) }, { signal: requestSignal() })
      .catch(() => undefined);
    if (found === undefined) {
      this.#stored.delete(shard);
      this.#ids.delete(shard);
    } else this.#stored.set(shard, found);
    fence.saw(((found?.spec ?? {}) as Partial<OutputLedgerSpec>).term ?? 0);
  }
}

/** Patches are recorded in the ledger, and the server determines statuses. */
function isRetained({ kind }: DesiredOutput): boolean {
  return kind !== OBJECT_PATCH && kind !== OBJECT_STATUS;
}
