/** The agent's end of Pull: receives the desired state of the cluster and never goes back to older inputs. */
import { agreedCapabilities, MACHINE_CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type {
  ContentRequest,
  Delta,
  Hello,
  Move,
  ObjectRejection,
  PullRequest,
  PullResponse,
  VectorUpdate,
  Welcome,
} from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey, type ObjectKind, objectId } from '../object/envelope.ts';
import { contentDigest, kindListDigest } from '../object/whole-digest.ts';
import { compareVectors, type InputVector, type VectorOrder } from '../vector/input-vector.ts';
import { VectorAssembler, vectorDigest } from '../vector/vector-wire.ts';
import { type CheckedDelta, DeltaReceiver } from './delta-receiver.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from './machine.ts';
import type { ResumeHint } from './resume-hint.ts';
import { SerialQueue } from './serial-queue.ts';

/** A change of the cluster's desired state. */
export interface OutputBatch {
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /**
   * The inputs of this batch: the state of the cluster afterwards is at least as new. Store it in the cluster
   * (OutputLedger).
   */
  readonly vector: InputVector;
  /**
   * The previously received inputs. The newer ones in `vector` led to this batch, or arrived while another batch was
   * applied.
   */
  readonly since: InputVector;
  /** With this batch the desired state is complete: other generated objects may be deleted. Check with `desires`. */
  readonly complete: boolean;
  /** Whether an object is desired, regardless of the result of applying it. Call it while the batch is applied. */
  desires(key: ObjectKey): boolean;
}

/** Applies batches. */
export interface OutputApplier {
  /**
   * Applies a batch and returns the rejected objects with their reasons. An error ends the stream; the next one begins
   * with a comparison.
   */
  apply(batch: OutputBatch): readonly ObjectRejection[] | undefined | Promise<readonly ObjectRejection[] | undefined>;
  ended?(reason: RelayError | undefined): void;
}

export interface PullReceiverOptions {
  readonly cluster: string;
  readonly term: number;
  /** Every kind the agent may apply. */
  readonly kinds: readonly ObjectKind[];
  /**
   * The generated objects of the cluster, by the hash that the server sent; updated by the receiver. If empty,
   * everything is sent again.
   */
  readonly contentIndex: ContentIndex;
  /** The vector applied last, as stored in the cluster. */
  readonly applied: InputVector;
  readonly applier: OutputApplier;
  /** Capabilities of this end; default: those that need nothing from the host. */
  readonly capabilities?: readonly string[];
  /** Shared by the streams of one agent; without it each stream begins with a full comparison. */
  readonly hint?: ResumeHint;
  readonly program?: string;
  /** Mesh plugins whose discovery failed, each with the reason. */
  readonly failedPlugins?: readonly string[];
  readonly limits?: Partial<RelayLimits>;
  /** The server welcomed the stream and named its capabilities. */
  readonly onWelcome?: (capabilities: readonly string[]) => void;
  /** The connection must be reopened; requires the capability `move`. */
  readonly onMove?: (move: Move) => void;
  /** The server has outputs for this cluster that it cannot send. */
  readonly onOversized?: (rejections: readonly ObjectRejection[]) => void;
  /** In these components the server is behind the applied inputs: its outputs wait (held) or are rejected (stale). */
  readonly onBehind?: (result: 'held' | 'stale', behind: readonly string[]) => void;
}

/** The changes of a delta. */
type Change = Pick<OutputBatch, 'upserts' | 'deletes' | 'complete'>;

/** The inputs of a delta, and those received before. */
type Inputs = Pick<OutputBatch, 'vector' | 'since'>;

/** The receiver of one stream. */
export class PullReceiver implements StreamMachine<PullResponse, PullRequest> {
  readonly #options: PullReceiverOptions;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #receiver: DeltaReceiver;
  readonly #queue: SerialQueue;
  readonly #vector: VectorAssembler = new VectorAssembler();
  /**
   * The kinds of the deltas with incomparable inputs, by number. Their content stays with the server, which later sends
   * its current state.
   */
  readonly #held = new Map<number, string>();
  #applied: InputVector;
  #since: InputVector;
  readonly #limits: RelayLimits;
  #said = false;
  #requestedKinds = false;
  #welcomed = false;
  #requestedResync = false;
  #answered = 0;
  /** Objects that are desired and were rejected: the cluster may have an older state, which must stay. */
  readonly #refused = new Set<string>();

  constructor(options: PullReceiverOptions) {
    this.#options = options;
    this.#applied = options.applied;
    this.#since = options.applied;
    this.#limits = relayLimits(options.limits);
    this.#receiver = new DeltaReceiver(options.contentIndex, this.#limits, () => this.#driver.ready());
    this.#queue = new SerialQueue((thrown) =>
      this.#driver.fail(new RelayError('RELAY_E_INTERNAL', 'the agent could not apply a batch', { cause: thrown })),
    );
  }

  /** The vector applied last. */
  get applied(): InputVector {
    return this.#applied;
  }

  get answered(): number {
    return this.#answered;
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: PullResponse): void {
    if (this.#driver.ended) return;
    if (!this.#welcomed && message.type !== 'welcome') {
      throw new RelayError(
        'RELAY_E_PROTOCOL',
        `the server began the pull stream with ${message.type} instead of welcome`,
      );
    }
    switch (message.type) {
      case 'welcome':
        this.#welcome(message);
        break;
      case 'contentRequest':
        this.#contentRequest(message);
        break;
      case 'vector':
        this.#moved(message);
        break;
      case 'delta':
        this.#delta(message);
        break;
      case 'move':
        this.#options.onMove?.(message);
        break;
      case 'heartbeat':
        break;
      default:
        message satisfies never;
    }
  }

  next(): PullRequest | undefined {
    if (this.#driver.ended) return undefined;
    if (!this.#said) {
      this.#said = true;
      return this.#hello();
    }
    if (!this.#requestedKinds) return this.#receiver.next();
    this.#requestedKinds = false;
    return { type: 'kinds', kinds: this.#options.kinds };
  }

  /** Asks the server for another comparison: rejected or drifted objects are sent again. */
  resync(reason: string, kinds: readonly ObjectKind[] = []): void {
    if (!this.#driver.ended) this.#receiver.resync(reason, kinds);
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    this.#queue.end();
    this.#receiver.end();
    this.#held.clear();
    this.#options.hint?.ended(reason);
    this.#options.applier.ended?.(reason);
  }

  #hello(): Hello {
    const {
      cluster,
      term,
      kinds,
      capabilities = MACHINE_CAPABILITIES,
      program = '',
      failedPlugins = [],
      hint,
      contentIndex,
      applied,
    } = this.#options;
    const window = { deltas: this.#limits.windowDeltas, bytes: this.#limits.windowBytes };
    const head = {
      type: 'hello',
      cluster,
      term,
      capabilities,
      program,
      ...(failedPlugins.length === 0 ? {} : { failedPlugins }),
      window,
    } as const;
    if (hint?.worthTrying !== true) return { ...head, kinds };
    const resume = {
      kinds: kindListDigest(kinds),
      content: contentDigest(contentIndex),
      vector: vectorDigest(applied),
    };
    return { ...head, kinds: [], resume };
  }

  #welcome({ capabilities, resumed = false, complete = false, sendKinds = false }: Welcome): void {
    const { capabilities: local = MACHINE_CAPABILITIES, hint, onWelcome, applied } = this.#options;
    if (this.#welcomed) throw new RelayError('RELAY_E_PROTOCOL', 'a second welcome on one stream');
    this.#welcomed = true;
    this.#requestedKinds = sendKinds;
    if (sendKinds) this.#driver.ready();
    hint?.welcomed(agreedCapabilities(local, capabilities));
    onWelcome?.(capabilities);
    if (!resumed) return;
    this.#vector.begin(applied);
    const inputs = { vector: applied, since: applied };
    if (complete) this.#queue.add(() => this.#apply(inputs, { upserts: [], deletes: [], complete }));
  }

  /** A comparison covers the applied content only, so held deltas of the kind are given back. */
  #contentRequest(contentRequest: ContentRequest): void {
    if (!this.#receiver.ask(contentRequest)) return;
    const id = kindId(contentRequest.kind);
    this.#queue.add(() => {
      const sent = this.#receiver.announce(id);
      if (sent === undefined || 'buckets' in sent.ask) return;
      this.#giveBack(id);
    });
  }

  /** Makes the server send its current state instead of the held deltas, of one kind or of all. */
  #giveBack(kind?: string): void {
    for (const [number, of] of this.#held) {
      if (kind !== undefined && of !== kind) continue;
      this.#held.delete(number);
      this.#receiver.answerAgain(number);
    }
  }

  /** A vector without outputs: the same outputs now have newer inputs, or held deltas can be sent again. */
  #moved(update: VectorUpdate): void {
    const before = this.#vector.vector ?? this.#applied;
    if (!this.#vector.take(update)) return;
    // While a batch is applied, the server may keep back the outputs of the new inputs.
    if (this.#queue.idle) this.#since = before;
    const vector = this.#vector.vector;
    if (vector !== undefined) this.#queue.add(() => this.#admitMove(vector));
  }

  #admitMove(vector: InputVector): void {
    const order = compareVectors(vector, this.#applied);
    if ('behind' in order) {
      if (order.order === 'incomparable') this.#askResync(order.behind);
      return;
    }
    this.#requestedResync = false;
    if (this.#held.size === 0) this.#applied = vector;
    this.#giveBack();
  }

  #delta(delta: Delta): void {
    const vector = this.#vector.vector;
    if (vector === undefined) throw new RelayError('RELAY_E_PROTOCOL', 'a delta came before the vector of its inputs');
    const inputs = { vector, since: this.#since };
    const checked = this.#receiver.check(delta);
    const { number, refused, oversized, upserts, deletes } = checked;
    const { complete } = delta;
    // Rejected by the checks or never sent, and still desired; a rejected delete has no hash.
    for (const { key, hash } of [...refused, ...oversized]) if (hash !== '') this.#refused.add(objectId(key));
    if (oversized.length > 0) this.#options.onOversized?.(oversized);
    this.#queue.add(() => {
      const order = compareVectors(vector, this.#applied);
      if ('behind' in order) {
        this.#postpone(order, checked, delta.kind);
        return;
      }
      this.#requestedResync = false;
      // Deltas given back now are missing from the whole that this delta completes.
      const whole = complete && this.#held.size === 0;
      this.#giveBack();
      return this.#apply(inputs, { upserts, deletes, complete: whole }, { number, refused });
    });
  }

  /** The cluster never goes back: outputs of older inputs are rejected, incomparable ones wait. */
  #postpone(
    { order, behind }: Extract<VectorOrder, { readonly behind: unknown }>,
    { number, refused }: CheckedDelta,
    kind: ObjectKind,
  ): void {
    const result = order === 'older' ? 'stale' : 'held';
    this.#options.onBehind?.(result, behind);
    if (result === 'held') this.#held.set(number, kindId(kind));
    this.#receiver.answer(number, result, refused, behind);
    if (result === 'held') this.#askResync(behind);
  }

  #askResync(behind: readonly string[]): void {
    if (this.#requestedResync) return;
    this.#requestedResync = true;
    this.#receiver.resync(`the inputs ${behind.join(', ')} are older than what was applied, others are newer`);
  }

  #apply(
    inputs: Inputs,
    { upserts, deletes, complete }: Change,
    answer?: { readonly number: number; readonly refused: readonly ObjectRejection[] },
  ): void | Promise<void> {
    let uncertainty: string | undefined;
    const done = (late: readonly ObjectRejection[] = []): void => {
      this.#hold(upserts, deletes, late, uncertainty);
      if (this.#driver.ended) return;
      this.#applied = inputs.vector;
      if (answer === undefined) return;
      this.#answered = Math.max(this.#answered, answer.number);
      this.#receiver.answer(answer.number, 'accepted', [...answer.refused, ...late]);
    };
    const desires = this.#desires(upserts, deletes);
    const result = this.#options.applier.apply({ upserts, deletes, ...inputs, complete, desires });
    if (!(result instanceof Promise)) {
      done(result);
      return;
    }
    uncertainty = this.#options.contentIndex.uncertainty([...upserts, ...deletes]);
    return result.then(done);
  }

  /**
   * A rejected object does not count as present: the next comparison brings it again.
   * @param uncertainty of the pending change; an object that changed again meanwhile stays pending
   */
  #hold(
    upserts: readonly ObjectEnvelope[],
    deletes: readonly ObjectKey[],
    refused: readonly ObjectRejection[],
    uncertainty: string | undefined,
  ): void {
    const { contentIndex } = this.#options;
    const late = new Set(refused.map(({ key }) => objectId(key)));
    const isManaged = (key: ObjectKey): boolean =>
      uncertainty === undefined || contentIndex.isUnconfirmed(key, uncertainty);
    for (const envelope of upserts) {
      const id = objectId(envelope);
      if (late.has(id)) {
        this.#refused.add(id);
        continue;
      }
      this.#refused.delete(id);
      if (isManaged(envelope)) contentIndex.set(envelope, { hash: envelope.hash, bytes: envelope.body.byteLength });
    }
    for (const key of deletes) {
      const id = objectId(key);
      this.#refused.delete(id);
      if (!late.has(id) && isManaged(key)) contentIndex.delete(key);
    }
  }

  #desires(upserts: readonly ObjectEnvelope[], deletes: readonly ObjectKey[]): (key: ObjectKey) => boolean {
    const { contentIndex } = this.#options;
    const coming = new Set(upserts.map(objectId));
    const going = new Set(deletes.map(objectId));
    return (key) => {
      const id = objectId(key);
      if (coming.has(id) || going.has(id)) return coming.has(id);
      return this.#refused.has(id) || contentIndex.get(kindId(key), entryId(key)) !== undefined;
    };
  }
}
