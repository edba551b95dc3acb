/** The agent's end of Push: sends the server the observed objects of the cluster. */
import { agreedCapabilities, MACHINE_CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type {
  Hello,
  KindLag,
  KindList,
  Move,
  ObjectRejection,
  PushRequest,
  PushResponse,
  Welcome,
} from '../message.ts';
import { kindId, type ObjectKind } from '../object/envelope.ts';
import type { ObjectTable } from '../object/object-table.ts';
import { contentDigest, kindListDigest } from '../object/whole-digest.ts';
import { DeltaSender } from './delta-sender.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from './machine.ts';
import type { ResumeHint } from './resume-hint.ts';

/** Numbers the deltas of one term. Outlives streams: the numbers of a term never restart. */
export class Sequence {
  readonly term: number;
  #last: number;

  /** @param term from the cluster's OutputLedger, incremented each time the agent's replicas elect a leader */
  constructor(term: number, last = 0) {
    this.term = term;
    this.#last = last;
  }

  /** The last number used. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#last++;
    return this.#last;
  }
}

export interface PushSenderOptions {
  readonly cluster: string;
  readonly sequence: Sequence;
  /** The content. Nothing of a kind is sent before the table marks the kind as synced. */
  readonly table: ObjectTable;
  /** All kinds that will be pushed: for the server, the snapshot is complete when all of them are synced. */
  readonly kinds: readonly ObjectKind[];
  /** Capabilities of this end; default: those that need nothing from the host. */
  readonly capabilities?: readonly string[];
  /** Shared by the streams of one agent; without it each stream begins with a full comparison. */
  readonly hint?: ResumeHint;
  /** Name and version of the program, for the server's log. */
  readonly program?: string;
  /** Mesh plugins whose discovery failed, each with the reason. */
  readonly failedPlugins?: readonly string[];
  readonly limits?: Partial<RelayLimits>;
  /** The server rejected objects (they are sent again when they change), or they are too large to be sent. */
  readonly onRefused?: (rejections: readonly ObjectRejection[]) => void;
  /** The server welcomed the stream and named its capabilities. */
  readonly onWelcome?: (capabilities: readonly string[]) => void;
  /** The connection must be reopened; requires the capability `move`. */
  readonly onMove?: (move: Move) => void;
  /** Monotonic milliseconds; default: the time since the process started. */
  readonly now?: () => number;
  readonly onEnd?: (reason: RelayError | undefined) => void;
}

/** The sender of one stream. Create a new one for each stream, over the same table and sequence. */
export class PushSender implements StreamMachine<PushResponse, PushRequest> {
  readonly #options: PushSenderOptions;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #deltas: DeltaSender;
  #said = false;
  #requestedKinds = false;
  #agreed: readonly string[] | undefined;
  #answered = 0;

  constructor(options: PushSenderOptions) {
    this.#options = options;
    const { table, kinds, sequence, now = () => performance.now() } = options;
    this.#deltas = new DeltaSender({
      table,
      kinds,
      limits: relayLimits(options.limits),
      nextNumber: () => sequence.next(),
      complete: 'kind',
      ready: () => this.#driver.ready(),
      refused: (rejections) => options.onRefused?.(rejections),
      now,
    });
  }

  /** Number of entries that wait to be sent. */
  get depth(): number {
    return this.#deltas.depth;
  }

  /** The highest acknowledged number. */
  get answered(): number {
    return this.#answered;
  }

  lags(): readonly KindLag[] {
    return this.#agreed?.includes('lag') === true ? this.#deltas.lags() : [];
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: PushResponse): void {
    if (this.#driver.ended) return;
    if (this.#agreed === undefined && message.type !== 'welcome') {
      throw new RelayError(
        'RELAY_E_PROTOCOL',
        `the server began the push stream with ${message.type} instead of welcome`,
      );
    }
    switch (message.type) {
      case 'welcome':
        this.#welcome(message);
        break;
      case 'have':
        this.#deltas.receiveHave(message);
        break;
      case 'ack':
        this.#deltas.receiveAck(message);
        this.#answered = Math.max(this.#answered, message.number);
        break;
      case 'resync':
        this.#deltas.receiveResync(message);
        break;
      case 'move':
        this.#options.onMove?.(message);
        break;
      case 'heartbeat':
        break;
      default:
        message satisfies never;
    }
    this.#driver.ready();
  }

  next(): PushRequest | undefined {
    if (this.#driver.ended) return undefined;
    if (!this.#said) {
      this.#said = true;
      return this.#hello();
    }
    if (this.#agreed === undefined) return undefined;
    return this.#kindList() ?? this.#deltas.nextContentRequest() ?? this.#deltas.nextDelta();
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    this.#deltas.end();
    this.#options.hint?.ended(reason);
    this.#options.onEnd?.(reason);
  }

  /** Resumes if the server supports it. The content digest is sent only if all content is synced. */
  #hello(): Hello {
    const { cluster, sequence, table, kinds, capabilities = MACHINE_CAPABILITIES, hint } = this.#options;
    const { program = '', failedPlugins = [] } = this.#options;
    const head = {
      type: 'hello',
      cluster,
      term: sequence.term,
      capabilities,
      program,
      ...(failedPlugins.length === 0 ? {} : { failedPlugins }),
    } as const;
    if (hint?.worthTrying !== true) return { ...head, kinds };
    const digest = kindListDigest(kinds);
    if (!kinds.every((kind) => table.isSynced(kindId(kind)))) return { ...head, kinds: [], resume: { kinds: digest } };
    this.#deltas.expectSame();
    const content = contentDigest(table.content, kinds);
    return { ...head, kinds: [], resume: { kinds: digest, content, number: sequence.last } };
  }

  #welcome({ window, capabilities, resumed = false, sendKinds = false }: Welcome): void {
    const { capabilities: local = MACHINE_CAPABILITIES, hint, onWelcome } = this.#options;
    if (this.#agreed !== undefined) throw new RelayError('RELAY_E_PROTOCOL', 'a second welcome on one stream');
    if (window !== undefined) this.#deltas.window.grant(window);
    this.#agreed = agreedCapabilities(local, capabilities);
    this.#requestedKinds = sendKinds;
    if (this.#agreed.includes('oversized')) this.#deltas.reportOversized();
    this.#deltas.answeredSame(resumed);
    hint?.welcomed(this.#agreed);
    onWelcome?.(capabilities);
  }

  #kindList(): KindList | undefined {
    if (!this.#requestedKinds) return undefined;
    this.#requestedKinds = false;
    return { type: 'kinds', kinds: this.#options.kinds };
  }
}
