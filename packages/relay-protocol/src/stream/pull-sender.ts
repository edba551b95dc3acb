/** The server's end of Pull: sends an agent the desired outputs of its cluster. */
import { agreedCapabilities, MACHINE_CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type { Ack, Hello, KindLag, ObjectRejection, PullRequest, PullResponse, Resume, Welcome } from '../message.ts';
import { sameDigest } from '../object/digest.ts';
import type { ObjectKind } from '../object/envelope.ts';
import { KindSets } from '../object/kind-sets.ts';
import { contentDigest, kindListDigest } from '../object/whole-digest.ts';
import type { InputVector } from '../vector/input-vector.ts';
import { vectorDigest, vectorUpdates } from '../vector/vector-wire.ts';
import { DeltaSender } from './delta-sender.ts';
import type { DesiredOutputs } from './desired-outputs.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from './machine.ts';

export interface PullSenderOptions {
  /** Cluster of the verified certificate. */
  readonly cluster: string;
  /** The desired outputs. Nothing is sent before the first commit. */
  readonly outputs: DesiredOutputs;
  /** Capabilities of this end; default: those that need nothing from the host. */
  readonly capabilities?: readonly string[];
  /** Lists of kinds that agents sent to this process. */
  readonly kindSets?: KindSets;
  /** Monotonic milliseconds; default: the time since the process started. */
  readonly now?: () => number;
  readonly limits?: Partial<RelayLimits>;
  /**
   * The agent, or its API server, rejected objects. They are sent again when they change, or when the agent requests a
   * resync.
   */
  readonly onRefused?: (rejections: readonly ObjectRejection[]) => void;
  /** The agent applied deltas with these inputs. */
  readonly onApplied?: (vector: InputVector) => void;
  /** The agent has all outputs except those it rejected. Called once, and again after each commit or interruption. */
  readonly onSettled?: () => void;
  /**
   * The agent applied newer inputs of these components than this server has. Nothing is sent until the vector moves
   * (stale) or is comparable (held).
   */
  readonly onBehind?: (result: 'held' | 'stale', behind: readonly string[]) => void;
  /** The agent requests a new comparison. */
  readonly onResync?: (reason: string) => void;
  readonly onEnd?: (reason: RelayError | undefined) => void;
}

/** The sender of one stream. Create a new one for each stream, over the same outputs. */
export class PullSender implements StreamMachine<PullRequest, PullResponse> {
  readonly #options: PullSenderOptions;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #limits: RelayLimits;
  readonly #unlisten: () => void;
  /** The vector of each unacknowledged delta. */
  readonly #sentUnder = new Map<number, InputVector>();
  #deltas: DeltaSender | undefined;
  #welcome: Welcome | undefined;
  #nonce = 0;
  #answered = 0;
  readonly #kindSets: KindSets;
  #agreed: readonly string[] = [];
  /** Undefined until the agent sends them. */
  #agentKinds: readonly ObjectKind[] | undefined;
  /** The digest of the list of kinds, while the list is awaited. */
  #requestedKinds: Uint8Array | undefined;
  #sent: InputVector | undefined;
  /** The vector before the inputs that led to the unsent outputs. */
  #since: InputVector | undefined;
  #settled = false;
  /** The vector that the agent called stale: no other delta is sent with it. */
  #staleUnder: InputVector | undefined;
  readonly #staged: PullResponse[] = [];

  constructor(options: PullSenderOptions) {
    this.#options = options;
    this.#limits = relayLimits(options.limits);
    this.#kindSets = options.kindSets ?? new KindSets();
    this.#unlisten = options.outputs.listen(({ since }) => {
      this.#since ??= since;
      // Also when nothing must be sent, as when a held output is desired again.
      this.#settled = false;
      this.#addKinds();
      this.#driver.ready();
    });
  }

  /** Number of entries that wait to be sent. */
  get depth(): number {
    return this.#deltas?.depth ?? 0;
  }

  /** The highest acknowledged nonce. */
  get answered(): number {
    return this.#answered;
  }

  lags(): readonly KindLag[] {
    return this.#deltas?.lags() ?? [];
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: PullRequest): void {
    if (this.#driver.ended) return;
    if (message.type === 'hello') {
      this.#hello(message);
      return;
    }
    const deltas = this.#deltas;
    if (deltas === undefined) {
      throw new RelayError('RELAY_E_PROTOCOL', `the agent began the pull stream with ${message.type} instead of hello`);
    }
    switch (message.type) {
      case 'have':
        deltas.receiveHave(message);
        break;
      case 'ack':
        this.#ack(message, deltas);
        break;
      case 'resync':
        this.#options.onResync?.(message.reason);
        deltas.receiveResync(message);
        break;
      case 'kinds':
        this.#kindList(message.kinds);
        break;
      case 'heartbeat':
        break;
      default:
        message satisfies never;
    }
    this.#noteSettled();
    this.#driver.ready();
  }

  next(): PullResponse | undefined {
    if (this.#driver.ended) return undefined;
    const welcome = this.#welcome;
    this.#welcome = undefined;
    const message = welcome ?? this.#staged.shift() ?? this.#nextFromOutputs();
    this.#noteSettled();
    return message;
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    this.#unlisten();
    this.#deltas?.end();
    this.#staged.length = 0;
    this.#options.onEnd?.(reason);
  }

  #noteSettled(): void {
    const { outputs, onSettled } = this.#options;
    const before = this.#settled;
    this.#settled = outputs.begun && this.#agentKinds !== undefined && this.#deltas?.settled === true;
    if (this.#settled && !before) onSettled?.();
  }

  #hello({ cluster, kinds, window, resume, capabilities: remote }: Hello): void {
    const { cluster: own, outputs, capabilities = MACHINE_CAPABILITIES, onRefused, now } = this.#options;
    if (this.#deltas !== undefined) throw new RelayError('RELAY_E_PROTOCOL', 'a second hello on one stream');
    if (cluster !== '' && cluster !== own) {
      throw new RelayError(
        'RELAY_E_IDENTITY_MISMATCH',
        `hello names another cluster than the certificate, ${own}; set relay.cluster to that, or register under the other name`,
      );
    }
    this.#agreed = agreedCapabilities(capabilities, remote);
    this.#deltas = new DeltaSender({
      table: outputs.table,
      kinds: [],
      limits: this.#limits,
      nextNumber: () => ++this.#nonce,
      complete: 'whole',
      wholeKnown: () => outputs.complete,
      ready: () => this.#driver.ready(),
      refused: (rejections) => onRefused?.(rejections),
      now: now ?? (() => performance.now()),
    });
    if (window !== undefined) this.#deltas.window.grant(window);
    if (this.#agreed.includes('oversized')) this.#deltas.reportOversized();
    const known = resume === undefined ? kinds : this.#kindSets.recall(resume.kinds);
    if (known === undefined) this.#requestedKinds = resume?.kinds;
    else this.#begin(known);
    const resumed = known !== undefined && resume !== undefined && this.#isSame(resume);
    this.#welcome = { type: 'welcome', capabilities, ...this.#resumed(resumed) };
    this.#driver.ready();
  }

  #begin(kinds: readonly ObjectKind[]): void {
    this.#kindSets.cache(kinds);
    this.#agentKinds = kinds;
    this.#addKinds();
  }

  /** The agent has exactly the desired outputs, made from the current inputs. */
  #isSame({ content, vector }: Resume): boolean {
    const { outputs } = this.#options;
    if (!outputs.begun || content === undefined || vector === undefined) return false;
    return (
      sameDigest(contentDigest(outputs.table.content), content) && sameDigest(vectorDigest(outputs.vector), vector)
    );
  }

  #resumed(resumed: boolean): Partial<Welcome> {
    if (this.#requestedKinds !== undefined) return { sendKinds: true };
    if (!resumed) return {};
    const { vector, complete } = this.#options.outputs;
    this.#sent = vector;
    this.#deltas?.expectSame();
    this.#deltas?.answeredSame(true, complete);
    return { resumed, complete };
  }

  #kindList(kinds: readonly ObjectKind[]): void {
    if (this.#requestedKinds === undefined || !sameDigest(kindListDigest(kinds), this.#requestedKinds)) {
      throw new RelayError('RELAY_E_PROTOCOL', 'the agent sent kinds without a request');
    }
    this.#requestedKinds = undefined;
    this.#begin(kinds);
  }

  /** Kinds of outputs that the agent did not name are sent as well: the agent reports why it rejects them. */
  #addKinds(): void {
    const { begun, table } = this.#options.outputs;
    if (this.#deltas === undefined || this.#agentKinds === undefined || !begun) return;
    for (const kind of [...this.#agentKinds, ...table.content.kinds()]) {
      // Every kind of output is synced; `complete` decides whether absence means deletion.
      table.markSynced(kind);
      this.#deltas.addKind(kind);
    }
  }

  /**
   * Deltas contain the current state, so the current vector is sent directly before them. With an older vector, outputs
   * of an older replica could later pass as newer. All pending deltas have one vector: the agent accepts all of them or
   * none, so the completing one never counts without the others.
   */
  #nextFromOutputs(): PullResponse | undefined {
    const { outputs } = this.#options;
    const deltas = this.#deltas;
    if (deltas === undefined || this.#agentKinds === undefined || !outputs.begun) return undefined;
    const contentRequest = deltas.nextContentRequest();
    if (contentRequest !== undefined) return contentRequest;
    const { vector } = outputs;
    if (vector === this.#staleUnder) return undefined;
    const delta = this.#hasOlderOnTheWay(vector) ? undefined : deltas.nextDelta();
    if (vector !== this.#sent) {
      // In two steps, so that the agent can distinguish the inputs that led to this from those that moved before.
      if (this.#sent !== undefined && this.#since !== undefined) this.#announce(this.#since);
      this.#announce(vector);
    }
    if (delta !== undefined) {
      this.#sentUnder.set(delta.number, vector);
      this.#staged.push(delta);
    }
    return this.#staged.shift();
  }

  #announce(vector: InputVector): void {
    this.#staged.push(...vectorUpdates(vector, this.#sent));
    this.#sent = vector;
    this.#since = undefined;
  }

  /** All pending deltas were sent with one vector. */
  #hasOlderOnTheWay(vector: InputVector): boolean {
    const [under = vector] = this.#sentUnder.values();
    return under !== vector;
  }

  #ack(ack: Ack, deltas: DeltaSender): void {
    const { onApplied, onBehind } = this.#options;
    this.#answered = Math.max(this.#answered, ack.number);
    const vector = this.#sentUnder.get(ack.number);
    if (ack.result !== 'held') this.#sentUnder.delete(ack.number);
    deltas.receiveAck(ack);
    if (ack.result === 'accepted') {
      if (vector !== undefined) onApplied?.(vector);
      return;
    }
    // Without components it only reports that held deltas were given back, to be sent again.
    if (ack.behind.length === 0) return;
    if (ack.result === 'stale') this.#staleUnder = vector;
    onBehind?.(ack.result, ack.behind);
  }
}
