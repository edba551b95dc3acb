/** The server's end of Push: checks the agent's objects and passes them on in batches. */
import { MACHINE_CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type {
  ContentRequest,
  Delta,
  Heartbeat,
  Hello,
  ObjectRejection,
  PushRequest,
  PushResponse,
  Resume,
  Welcome,
} from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { sameDigest } from '../object/digest.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey, type ObjectKind } from '../object/envelope.ts';
import { isAbsence } from '../object/intake.ts';
import { KindSets } from '../object/kind-sets.ts';
import { Quarantine } from '../object/quarantine.ts';
import { contentDigest, kindListDigest } from '../object/whole-digest.ts';
import type { InputVersion } from '../vector/input-vector.ts';
import { type CheckedDelta, DeltaReceiver, refusedIds, rejectionOf } from './delta-receiver.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from './machine.ts';
import { SerialQueue } from './serial-queue.ts';

/** A change of a cluster's observed content. Apply the batches of one cluster in order. */
export interface InputBatch {
  /** From the certificate. Cluster names within objects are not checked here. */
  readonly cluster: string;
  readonly term: number;
  readonly seq: number;
  readonly kind: ObjectKind;
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /**
   * With this batch every object of the kind is known: an absent object does not exist. False does not revoke earlier
   * batches.
   */
  readonly synced: boolean;
  /**
   * Whether the kind was synced on this stream before: then the deletions of the batch were observed. Otherwise the
   * batch belongs to a comparison, and its deletions are objects that were not found.
   */
  readonly followed: boolean;
  /** Whether no kind is being compared on this stream any more. */
  readonly inStep: boolean;
}

/** Receives batches. */
export interface PushSink {
  /**
   * The stream is welcome; these are all kinds that the agent will send. The snapshot is complete when each is synced.
   * @param resumed the known content equals the agent's: nothing of it will be sent
   */
  began?(term: number, kinds: readonly ObjectKind[], resumed: boolean): void;
  /**
   * Takes a batch. The agent gets its rejections, and those objects count as seen; the rest is stored. An error ends
   * the stream.
   */
  accept(batch: InputBatch): readonly ObjectRejection[] | undefined | Promise<readonly ObjectRejection[] | undefined>;
  /** Objects rejected before `accept`, or that the agent cannot send. */
  refused?(rejections: readonly ObjectRejection[]): void;
  /** Lag of the agent's sending. */
  heartbeat?(heartbeat: Heartbeat): void;
  ended?(reason: RelayError | undefined): void;
}

export interface PushReceiverOptions {
  /** Cluster of the verified certificate. */
  readonly cluster: string;
  /** The newest known version of the cluster's inputs, from any replica. Older terms are rejected. */
  readonly last?: InputVersion;
  /**
   * The known content of the cluster; only this receiver updates it. Content from the store avoids sending everything
   * again.
   */
  readonly contentIndex: ContentIndex;
  /** Objects of the cluster whose current state is unknown; belongs to the content index. */
  readonly quarantine?: Quarantine;
  /** Whether the content is complete as of `last`, so that an agent with the same content need not send anything. */
  readonly complete?: boolean;
  /** Lists of kinds that agents sent to this process. */
  readonly kindSets?: KindSets;
  readonly sink: PushSink;
  /** Capabilities of this end; default: those that need nothing from the host. */
  readonly capabilities?: readonly string[];
  readonly limits?: Partial<RelayLimits>;
}

/** The receiver of one stream. */
export class PushReceiver implements StreamMachine<PushRequest, PushResponse> {
  readonly #options: PushReceiverOptions;
  readonly #limits: RelayLimits;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #receiver: DeltaReceiver;
  readonly #queue: SerialQueue;
  readonly #synced = new Set<string>();
  /** Kinds that may lack something: a delta marked complete is not, until the kind was compared again. */
  readonly #doubted = new Set<string>();
  readonly #quarantine: Quarantine;
  readonly #kindSets: KindSets;
  #kinds: ReadonlySet<string> = new Set();
  /** The digest of the list of kinds, while the list is awaited. */
  #requestedKinds: Uint8Array | undefined;
  #welcome: Welcome | undefined;
  #term: number | undefined;
  #seq: number | undefined;
  #answered = 0;

  constructor(options: PushReceiverOptions) {
    this.#options = options;
    this.#limits = relayLimits(options.limits);
    this.#quarantine = options.quarantine ?? new Quarantine();
    this.#kindSets = options.kindSets ?? new KindSets();
    this.#receiver = new DeltaReceiver(options.contentIndex, this.#limits, () => this.#driver.ready());
    this.#queue = new SerialQueue((thrown) =>
      this.#driver.fail(new RelayError('RELAY_E_INTERNAL', 'the server could not ingest a batch', { cause: thrown })),
    );
  }

  get answered(): number {
    return this.#answered;
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: PushRequest): void {
    if (this.#driver.ended) return;
    if (this.#term === undefined && message.type !== 'hello') {
      throw new RelayError('RELAY_E_PROTOCOL', `the agent began the push stream with ${message.type} instead of hello`);
    }
    switch (message.type) {
      case 'hello':
        this.#hello(message);
        break;
      case 'contentRequest':
        this.#contentRequest(message);
        break;
      case 'delta':
        this.#delta(message, this.#term ?? 0);
        break;
      case 'kinds':
        this.#kindList(message.kinds);
        break;
      case 'heartbeat':
        this.#options.sink.heartbeat?.(message);
        break;
      default:
        message satisfies never;
    }
  }

  next(): PushResponse | undefined {
    if (this.#driver.ended) return undefined;
    const welcome = this.#welcome;
    this.#welcome = undefined;
    return welcome ?? this.#receiver.next();
  }

  /** Requests another comparison, for example because the stored content of the cluster was lost. */
  resync(reason: string, kinds: readonly ObjectKind[] = []): void {
    // No resync before hello: a stream begins with a comparison.
    if (this.#driver.ended || this.#term === undefined) return;
    this.#uncertainty(kinds.length === 0 ? this.#kinds : kinds.map(kindId));
    this.#receiver.resync(reason, kinds);
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    this.#queue.end();
    this.#receiver.end();
    this.#options.sink.ended?.(reason);
  }

  #hello({ cluster, term, kinds, resume }: Hello): void {
    const { cluster: own, last } = this.#options;
    if (this.#term !== undefined) throw new RelayError('RELAY_E_PROTOCOL', 'a second hello on one stream');
    if (cluster !== '' && cluster !== own) {
      throw new RelayError(
        'RELAY_E_IDENTITY_MISMATCH',
        `hello names another cluster than the certificate, ${own}; set relay.cluster to that, or register under the other name`,
      );
    }
    if (last !== undefined && term < last.term) {
      throw new RelayError(
        'RELAY_E_FENCED',
        `term ${term} of cluster ${own} is over: term ${last.term} has begun with another leader`,
      );
    }
    this.#term = term;
    const known = resume === undefined ? kinds : this.#kindSets.recall(resume.kinds);
    if (known === undefined) {
      this.#requestedKinds = resume?.kinds;
      this.#answerHello({ sendKinds: true });
      return;
    }
    const resumed = this.#isSame(term, known, resume);
    this.#answerHello(resumed ? { resumed } : {});
    this.#begin(term, known, resumed);
  }

  #answerHello(more: Partial<Welcome>): void {
    const { capabilities = MACHINE_CAPABILITIES } = this.#options;
    const window = { deltas: this.#limits.windowDeltas, bytes: this.#limits.windowBytes };
    this.#welcome = { type: 'welcome', capabilities, window, ...more };
    this.#driver.ready();
  }

  /**
   * A new term restarts the numbers, so its content must be sent with them. The same holds for newer numbers: another
   * server received more deltas with the same final content, and their outputs may have been applied.
   */
  #isSame(term: number, kinds: readonly ObjectKind[], { content, number = 0 }: Partial<Resume> = {}): boolean {
    const { last, complete = false, contentIndex } = this.#options;
    if (!complete || last?.term !== term || content === undefined || number > last.seq) return false;
    return sameDigest(contentDigest(contentIndex, kinds), content);
  }

  #kindList(kinds: readonly ObjectKind[]): void {
    const requested = this.#requestedKinds;
    if (requested === undefined) throw new RelayError('RELAY_E_PROTOCOL', 'the agent sent its kinds without a request');
    if (!sameDigest(kindListDigest(kinds), requested)) {
      throw new RelayError('RELAY_E_PROTOCOL', 'the list of kinds does not match the digest in Resume');
    }
    this.#requestedKinds = undefined;
    this.#begin(this.#term ?? 0, kinds, false);
  }

  #begin(term: number, kinds: readonly ObjectKind[], resumed: boolean): void {
    this.#kindSets.cache(kinds);
    this.#kinds = new Set(kinds.map(kindId));
    if (resumed) for (const id of this.#kinds) this.#synced.add(id);
    this.#options.sink.began?.(term, kinds, resumed);
  }

  /** Waits for the batches before it, so that the answer includes them. */
  #contentRequest(contentRequest: ContentRequest): void {
    const id = kindId(contentRequest.kind);
    if (!this.#kinds.has(id)) throw this.#unannounced(id);
    this.#synced.delete(id);
    this.#doubted.delete(id);
    if (!this.#receiver.ask(contentRequest)) return;
    this.#queue.add(() => {
      this.#receiver.announce(id);
    });
  }

  #delta(delta: Delta, term: number): void {
    const id = kindId(delta.kind);
    if (!this.#kinds.has(id)) throw this.#unannounced(id);
    const { last } = this.#options;
    const expected = this.#seq === undefined ? undefined : this.#seq + 1;
    const seen = this.#seq ?? (last !== undefined && last.term === term ? last.seq : 0);
    const checked = this.#receiver.check(delta);
    if (delta.number <= seen) {
      // Older than the stored content: accepting it would go back in time.
      this.#queue.add(() => this.#receiver.answer(delta.number, 'accepted'));
      if (this.#seq === undefined) this.#lost(`delta ${delta.number} of term ${term} is older than the known ${seen}`);
      return;
    }
    this.#seq = delta.number;
    const followed = this.#synced.has(id) && (expected === undefined || delta.number === expected);
    if (expected !== undefined && delta.number !== expected)
      this.#lost(`expected delta ${expected}, got ${delta.number}`);
    else if (delta.complete && !this.#doubted.has(id)) this.#synced.add(id);
    const batch = { cluster: this.#options.cluster, term, seq: delta.number, kind: delta.kind };
    const sent = this.#synced.has(id);
    const inStep = this.#synced.size === this.#kinds.size;
    this.#queue.add(() => this.#take({ ...batch, followed, inStep }, checked, { sent, complete: delta.complete }));
  }

  /** A delta is missing: no kind is synced until it was compared again. */
  #lost(reason: string): void {
    this.#uncertainty(this.#kinds);
    this.#receiver.resync(reason);
  }

  #uncertainty(kinds: Iterable<string>): void {
    for (const id of kinds) {
      this.#synced.delete(id);
      this.#doubted.add(id);
    }
  }

  #take(
    batch: Omit<InputBatch, 'upserts' | 'deletes' | 'synced'>,
    checked: CheckedDelta,
    { sent, complete }: { readonly sent: boolean; readonly complete: boolean },
  ): void | Promise<void> {
    const { sink } = this.#options;
    const { number, upserts, deletes, refused, oversized: oversizedObjects } = checked;
    const { fitting, oversized } = this.#fit(upserts);
    const early = [...refused, ...oversizedObjects, ...oversized];
    for (const key of [...fitting, ...deletes]) this.#quarantine.delete(key);
    for (const rejection of early) this.#isolate(rejection, !refused.includes(rejection) || isAbsence(rejection));
    this.#noteSeen([...refused, ...oversizedObjects]);
    let uncertainty: string | undefined;
    const done = (late: readonly ObjectRejection[] = []): void => {
      this.#hold(fitting, deletes, late, uncertainty);
      for (const rejection of late) this.#isolate(rejection, false);
      if (this.#driver.ended) return;
      this.#answered = number;
      this.#receiver.answer(number, 'accepted', [...refused, ...oversized, ...late]);
    };
    if (early.length > 0) sink.refused?.(early);
    // A part of an object, or a delta of rejected objects only, changes nothing.
    if (!complete && fitting.length === 0 && deletes.length === 0) {
      done();
      return;
    }
    // An object without any known state keeps its kind unsynced.
    const synced = sent && !this.#quarantine.isIncomplete(kindId(batch.kind));
    const result = sink.accept({ ...batch, synced, upserts: fitting, deletes });
    if (!(result instanceof Promise)) {
      done(result);
      return;
    }
    uncertainty = this.#options.contentIndex.uncertainty([...fitting, ...deletes]);
    return result.then(done);
  }

  /**
   * Quarantines a rejected object.
   * @param absent whether the object exists and does not arrive. An object that arrived and was found invalid is
   *   decided, and its kind is not incomplete.
   */
  #isolate(rejection: ObjectRejection, absent: boolean): void {
    const { key } = rejection;
    const isKnown = this.#options.contentIndex.get(kindId(key), entryId(key)) !== undefined;
    this.#quarantine.add(rejection, !absent || (isKnown && !this.#quarantine.isMissing(key)));
  }

  /** Leaves out objects that exceed the cluster's limits. */
  #fit(upserts: readonly ObjectEnvelope[]): { fitting: ObjectEnvelope[]; oversized: ObjectRejection[] } {
    const { contentIndex } = this.#options;
    const fitting: ObjectEnvelope[] = [];
    const oversized: ObjectRejection[] = [];
    let { size, bytes } = contentIndex;
    for (const envelope of upserts) {
      const old = contentIndex.get(kindId(envelope), entryId(envelope));
      const newSize = size + (old === undefined ? 1 : 0);
      const newBytes = bytes + envelope.body.byteLength - (old?.bytes ?? 0);
      if (newSize > this.#limits.objects || newBytes > this.#limits.totalBytes) {
        oversized.push(rejectionOf(envelope, envelope.hash, shareFault(this.#limits)));
        continue;
      }
      size = newSize;
      bytes = newBytes;
      fitting.push(envelope);
    }
    return { fitting, oversized };
  }

  /**
   * A rejected object counts as seen, so that it is not sent again at each reconnect; the sink keeps its earlier state.
   * An object that exceeds the limits does not: there may be room later.
   */
  #noteSeen(refused: readonly ObjectRejection[]): void {
    const { contentIndex } = this.#options;
    for (const { key, hash } of refused)
      if (hash !== '' && contentIndex.size < this.#limits.objects) contentIndex.set(key, { hash, bytes: 0 });
  }

  /** @param uncertainty of the change that the sink processed; an object that changed again meanwhile stays pending */
  #hold(
    upserts: readonly ObjectEnvelope[],
    deletes: readonly ObjectKey[],
    late: readonly ObjectRejection[],
    uncertainty: string | undefined,
  ): void {
    const { contentIndex } = this.#options;
    const refused = refusedIds(late);
    const isManaged = (key: ObjectKey): boolean =>
      uncertainty === undefined || contentIndex.isUnconfirmed(key, uncertainty);
    for (const envelope of upserts) {
      // For a rejected object the sink keeps the earlier state; the body takes no room.
      const bytes = refused.has(entryId(envelope)) ? 0 : envelope.body.byteLength;
      if (isManaged(envelope)) contentIndex.set(envelope, { hash: envelope.hash, bytes });
    }
    for (const key of deletes) if (isManaged(key) && !refused.has(entryId(key))) contentIndex.delete(key);
  }

  #unannounced(id: string): RelayError {
    return new RelayError('RELAY_E_PROTOCOL', `${id} is not among the kinds that hello announced`);
  }
}

function shareFault({ objects, totalBytes }: RelayLimits): { code: string; reason: string } {
  return {
    code: 'CLUSTER_TOO_LARGE',
    reason: `the cluster exceeds the limits for one cluster (${objects} objects, ${totalBytes} bytes); delete unused objects, or split the cluster`,
  };
}
