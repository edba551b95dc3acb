/** The server's end of Push: checks what an agent tells of its cluster and hands it on in batches. */
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

/** A step in what is known of a cluster. Apply batches of one cluster in the order they come. */
export interface InputBatch {
  /** From the certificate. Whatever an object says of its cluster is the object's business. */
  readonly cluster: string;
  readonly term: number;
  readonly seq: number;
  readonly kind: ObjectKind;
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /** With this batch every object of the kind is known: what is absent does not exist. False says nothing about what earlier batches told. */
  readonly synced: boolean;
  /**
   * Whether the kind was known in full on this stream before: then what the batch deletes was seen to be deleted. Otherwise the batch belongs to a
   * comparison, and what it deletes was merely not found.
   */
  readonly followed: boolean;
  /** Whether no kind is being compared on this stream any more. */
  readonly inStep: boolean;
}

/** Where batches go. */
export interface PushSink {
  /**
   * The stream is welcome; these are all kinds the agent will tell of. The snapshot is complete when each is synced.
   * @param resumed what is known of the cluster is what the agent has: nothing will be told of it
   */
  began?(term: number, kinds: readonly ObjectKind[], resumed: boolean): void;
  /** Takes a batch. What it refuses is answered to the agent and counts as seen; the rest is taken. Throwing ends the stream. */
  accept(batch: InputBatch): readonly ObjectRejection[] | undefined | Promise<readonly ObjectRejection[] | undefined>;
  /** Objects that were refused before they reached `accept`, or that the agent cannot send. */
  refused?(rejections: readonly ObjectRejection[]): void;
  /** The agent says how far its sending is behind. */
  heartbeat?(heartbeat: Heartbeat): void;
  ended?(reason: RelayError | undefined): void;
}

export interface PushReceiverOptions {
  /** Of the verified certificate. */
  readonly cluster: string;
  /** The newest version known of the cluster's inputs, from whichever replica took it. An older term is refused. */
  readonly last?: InputVersion;
  /** What is known of the cluster; kept up by this receiver alone. Filled from the store, it spares sending everything again. */
  readonly contentIndex: ContentIndex;
  /** Objects of the cluster that are not known as they are; goes with the holdings. */
  readonly quarantine?: Quarantine;
  /** Whether as of `last` everything is known in full, so that an agent with the same content need not tell anything. */
  readonly complete?: boolean;
  /** Lists of kinds that agents have told this process. */
  readonly kindSets?: KindSets;
  readonly sink: PushSink;
  /** What this end can do; what needs nothing of the host unless given. */
  readonly capabilities?: readonly string[];
  readonly limits?: Partial<RelayLimits>;
}

/** One stream's receiver. */
export class PushReceiver implements StreamMachine<PushRequest, PushResponse> {
  readonly #options: PushReceiverOptions;
  readonly #limits: RelayLimits;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #receiver: DeltaReceiver;
  readonly #queue: SerialQueue;
  readonly #synced = new Set<string>();
  /** Kinds of which something may be missing: what calls itself complete is not, until the kind has been compared again. */
  readonly #doubted = new Set<string>();
  readonly #quarantine: Quarantine;
  readonly #kindSets: KindSets;
  #kinds: ReadonlySet<string> = new Set();
  /** The digest of the list of kinds, while the list itself is waited for. */
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
      this.#driver.fail(new RelayError('RELAY_E_INTERNAL', 'the server could not take a batch', { cause: thrown })),
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
      case 'want':
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

  /** Asks the agent to compare again, say because what was known of its cluster was lost. */
  resync(reason: string, kinds: readonly ObjectKind[] = []): void {
    // Before hello there is nothing to ask for again: a stream begins with a comparison.
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
        'RELAY_E_IDENTITY',
        `hello names another cluster than the certificate, which is for ${own}; set relay.cluster to that, or register under the other name`,
      );
    }
    if (last !== undefined && term < last.term) {
      throw new RelayError(
        'RELAY_E_OLD_TERM',
        `term ${term} of cluster ${own} is over: term ${last.term} has begun; its leader goes on`,
      );
    }
    this.#term = term;
    const known = resume === undefined ? kinds : this.#kindSets.recall(resume.kinds);
    if (known === undefined) {
      this.#requestedKinds = resume?.kinds;
      this.#answerHello({ tellKinds: true });
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
   * A new term's numbers begin anew, so that what is known of it must be told under them. So it is with newer numbers: another server was told more, which came to
   * the same, and outputs that follow from them may have been applied.
   */
  #isSame(term: number, kinds: readonly ObjectKind[], { content, number = 0 }: Partial<Resume> = {}): boolean {
    const { last, complete = false, contentIndex } = this.#options;
    if (!complete || last?.term !== term || content === undefined || number > last.seq) return false;
    return sameDigest(contentDigest(contentIndex, kinds), content);
  }

  #kindList(kinds: readonly ObjectKind[]): void {
    const requested = this.#requestedKinds;
    if (requested === undefined)
      throw new RelayError('RELAY_E_PROTOCOL', 'the agent told its kinds without being asked');
    if (!sameDigest(kindListDigest(kinds), requested)) {
      throw new RelayError('RELAY_E_PROTOCOL', 'the kinds told are others than those whose digest was told');
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

  /** Waits for the batches before it, so that the answer speaks of them too. */
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
      // Older than what is known: taking it would go back in time.
      this.#queue.add(() => this.#receiver.answer(delta.number, 'accepted'));
      if (this.#seq === undefined)
        this.#lost(`delta ${delta.number} of term ${term} is older than ${seen}, which is known`);
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

  /** Something is missing: no kind is known in full until it has been compared again. */
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
    // A part of an object, or nothing but refused ones, is no step in what is known.
    if (!complete && fitting.length === 0 && deletes.length === 0) {
      done();
      return;
    }
    // What exists and is not known in any state keeps its kind from being known in full.
    const synced = sent && !this.#quarantine.lacks(kindId(batch.kind));
    const result = sink.accept({ ...batch, synced, upserts: fitting, deletes });
    if (!(result instanceof Promise)) {
      done(result);
      return;
    }
    uncertainty = this.#options.contentIndex.uncertainty([...fitting, ...deletes]);
    return result.then(done);
  }

  /**
   * Keeps a refused object apart.
   * @param absent whether it exists as something that does not get here. What got here and was found bad has been decided about, and is lacked by nobody.
   */
  #isolate(rejection: ObjectRejection, absent: boolean): void {
    const { key } = rejection;
    const isKnown = this.#options.contentIndex.get(kindId(key), entryId(key)) !== undefined;
    this.#quarantine.add(rejection, !absent || (isKnown && !this.#quarantine.isLacking(key)));
  }

  /** Leaves out what is beyond the cluster's share. */
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
   * A refused object counts as seen, so that it is not sent again at each reconnect; what was known of it before stays in the sink.
   * One that is beyond the share does not: there may be room later.
   */
  #noteSeen(refused: readonly ObjectRejection[]): void {
    const { contentIndex } = this.#options;
    for (const { key, hash } of refused)
      if (hash !== '' && contentIndex.size < this.#limits.objects) contentIndex.set(key, { hash, bytes: 0 });
  }

  /** @param uncertainty of what the sink took its time for; what was changed again meanwhile is not its to settle */
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
      // Of a refused one the sink keeps what it had; the body takes no room.
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
    reason: `the cluster has more than the server takes of one (${objects} objects, ${totalBytes} bytes); delete what nobody needs, or split the cluster`,
  };
}
