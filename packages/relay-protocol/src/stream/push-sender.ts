/** The agent's end of Push: tells the server what is in the cluster. */
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

/** Numbers the deltas of one term. Outlives streams: the numbers of a term never begin again. */
export class Sequence {
  readonly term: number;
  #last: number;

  /** @param term from the cluster's OutputLedger, raised each time this agent's group elects a leader */
  constructor(term: number, last = 0) {
    this.term = term;
    this.#last = last;
  }

  /** The last number given out. */
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
  /** What there is. Nothing of a kind is sent before the table says that the kind is synced. */
  readonly table: ObjectTable;
  /** All kinds that will be pushed: the server takes the snapshot for complete when all of them are. */
  readonly kinds: readonly ObjectKind[];
  /** What this end can do; what needs nothing of the host unless given. */
  readonly capabilities?: readonly string[];
  /** Shared by the streams of one agent; without it each begins the long way. */
  readonly hint?: ResumeHint;
  /** Name and version of the program, for the server's log. */
  readonly program?: string;
  readonly limits?: Partial<RelayLimits>;
  /** The server refused objects (they are sent again when they change), or they are too large to be sent. */
  readonly onRefused?: (rejections: readonly ObjectRejection[]) => void;
  /** The server has welcomed the stream and named what it can do. */
  readonly onWelcome?: (capabilities: readonly string[]) => void;
  /** The connection is to be made anew; name the capability `move` with it. */
  readonly onMove?: (move: Move) => void;
  /** Monotonic milliseconds; the time since the process began unless given. */
  readonly now?: () => number;
  readonly onEnd?: (reason: RelayError | undefined) => void;
}

/** One stream's sender. Make a new one for each stream, over the same table and sequence. */
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

  /** Entries that wait to be sent. */
  get depth(): number {
    return this.#deltas.depth;
  }

  /** The highest number the server has answered. */
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

  /** The short way where the server is known to take it. Of the whole it speaks only when the whole is known. */
  #hello(): Hello {
    const { cluster, sequence, table, kinds, capabilities = MACHINE_CAPABILITIES, program = '', hint } = this.#options;
    const head = { type: 'hello', cluster, term: sequence.term, capabilities, program } as const;
    if (hint?.worthTrying !== true) return { ...head, kinds };
    const digest = kindListDigest(kinds);
    if (!kinds.every((kind) => table.isSynced(kindId(kind)))) return { ...head, kinds: [], resume: { kinds: digest } };
    this.#deltas.expectSame();
    const content = contentDigest(table.content, kinds);
    return { ...head, kinds: [], resume: { kinds: digest, content, number: sequence.last } };
  }

  #welcome({ window, capabilities, resumed = false, tellKinds = false }: Welcome): void {
    const { capabilities: local = MACHINE_CAPABILITIES, hint, onWelcome } = this.#options;
    if (this.#agreed !== undefined) throw new RelayError('RELAY_E_PROTOCOL', 'a second welcome on one stream');
    if (window !== undefined) this.#deltas.window.grant(window);
    this.#agreed = agreedCapabilities(local, capabilities);
    this.#requestedKinds = tellKinds;
    if (this.#agreed.includes('withheld')) this.#deltas.reportOversized();
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
