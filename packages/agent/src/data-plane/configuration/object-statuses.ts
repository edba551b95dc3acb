/**
 * Writes Envoy rejections and the ACK status of extensions to the status of the objects. Each replica writes under its
 * own name, since only it knows its Envoys. The status reaches the server with the object, and from there the policies.
 */
import type { XdsNack } from '@meshrelay/api';
import { type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { canonicalJson } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ExtensionAckStatus } from './extension-ack-status.ts';
import { sent } from './refused-resources.ts';
import type { SeenXdsObject } from './xds-objects.ts';

export interface ObjectStatusesOptions {
  readonly connection: Pick<KubeConnection, 'objects'>;
  /** Namespace of the objects. */
  readonly namespace: string;
  readonly replica: string;
  /** The observed objects, once all are known. */
  readonly seen: () => ReadonlyMap<string, SeenXdsObject> | undefined;
  readonly nacked: () => ReadonlyMap<string, readonly XdsNack[]>;
  readonly ackStatus: () => ReadonlyMap<string, ExtensionAckStatus>;
  /** Whether this replica leads: the leader clears the entries of deleted replicas. */
  readonly leads: () => boolean;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly logger: Logger;
}

const XDS_CONFIG = meshrelayKind('XdsConfig');
/** Changes of Envoy states trigger at most one check in this time, in milliseconds. */
const PAUSE = 1_000;
const RESYNC_INTERVAL_MS = 60_000;
/**
 * A replica repeats its entry every five minutes. An entry not repeated for fifteen minutes belongs to a deleted
 * replica.
 */
const REPEAT = 5 * 60_000;
const GONE = 15 * 60_000;

/** State of a replica's Envoys, by the names of the objects. */
interface Known {
  readonly nacked: ReadonlyMap<string, readonly XdsNack[]>;
  readonly ackStatus: ReadonlyMap<string, ExtensionAckStatus>;
}

const NOTHING: Known = { nacked: new Map(), ackStatus: new Map() };

/** Entry of a replica on an object. */
interface Note {
  readonly observedGeneration: number;
  readonly observedTime: string;
}

/** Changed entries by replica; null: to be removed. */
type Change = Record<string, object | null>;

/** Runs from construction until it is disposed, which removes its entries. */
export class ObjectStatuses implements AsyncDisposable {
  readonly #options: ObjectStatusesOptions;
  readonly #reconcileLoop: ReconcileLoop;
  #count = 0;

  constructor(options: ObjectStatusesOptions) {
    this.#options = options;
    this.#reconcileLoop = new ReconcileLoop(options.clock, (signal) => this.#reconcile(signal));
  }

  /** Number of resources that Envoys of this replica reject, or that are not sent. */
  get count(): number {
    return this.#count;
  }

  /** Triggers a check, because something may have changed. Cheap. */
  reconcile(): void {
    this.#reconcileLoop.trigger();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reconcileLoop[Symbol.asyncDispose]();
    await this.#noteAll(NOTHING);
  }

  async #reconcile(signal: AbortSignal): Promise<number> {
    const { clock, nacked, ackStatus } = this.#options;
    const known = { nacked: nacked(), ackStatus: ackStatus() };
    this.#count = [...known.nacked.values()].reduce((sum, all) => sum + all.length, 0);
    const done = await this.#noteAll(known);
    await clock.sleep(PAUSE, signal);
    return done ? RESYNC_INTERVAL_MS : 0;
  }

  /** @returns whether all entries could be written */
  async #noteAll({ nacked, ackStatus }: Known): Promise<boolean> {
    let done = true;
    for (const [name, { generation, ...noted }] of this.#options.seen() ?? []) {
      const rejections = nacked.get(name) ?? [];
      const change = {
        nacked: this.#change(
          generation,
          noted.nacked,
          rejections.length === 0 ? undefined : { count: rejections.length, resources: sent(rejections) },
        ),
        ackStatus: this.#change(generation, noted.ackStatus, ackStatus.get(name)),
      };
      const different = Object.entries(change).filter(([, of]) => Object.keys(of).length > 0);
      if (different.length > 0) done = (await this.#note(name, Object.fromEntries(different))) && done;
    }
    return done;
  }

  /** @param reported undefined if there is nothing to report */
  #change(generation: number, noted: Readonly<Record<string, Note>> = {}, reported: object | undefined): Change {
    const { replica, now, leads } = this.#options;
    const { [replica]: before, ...others } = noted;
    const at = now();
    const since = ({ observedTime }: Note): number => at.getTime() - Date.parse(observedTime);
    const gone = leads() ? Object.entries(others).filter(([, one]) => !(since(one) < GONE)) : [];
    const change: Change = Object.fromEntries(gone.map(([name]) => [name, null]));
    if (reported === undefined) return before === undefined ? change : { ...change, [replica]: null };
    const note = { observedGeneration: generation, ...reported };
    const { observedTime: _, ...same } = before ?? { observedTime: '' };
    const isSame = before !== undefined && since(before) < REPEAT && isEqual(same, note);
    return isSame ? change : { ...change, [replica]: { ...note, observedTime: at.toISOString() } };
  }

  async #note(name: string, status: Record<string, Change>): Promise<boolean> {
    const { connection, namespace, logger } = this.#options;
    try {
      await connection.objects(XDS_CONFIG).mergeStatus({ namespace, name }, status);
      return true;
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return true;
      logger.warn('the status of Envoys cannot be written to the object yet', { object: name, error });
      return false;
    }
  }
}

/** Ignores the order in which the API server returns the fields. */
function isEqual(one: object, other: object): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
