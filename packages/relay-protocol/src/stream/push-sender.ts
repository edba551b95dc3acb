/** The agent's end of Push: tells the server what is in the cluster. */
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type { Hello, PushRequest, PushResponse, Refusal } from '../message.ts';
import type { ObjectKind } from '../object/envelope.ts';
import type { ObjectTable } from '../object/object-table.ts';
import { DeltaSender } from './delta-sender.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from './machine.ts';

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
  readonly capabilities?: readonly string[];
  /** Name and version of the program, for the server's log. */
  readonly program?: string;
  readonly limits?: Partial<RelayLimits>;
  /** The server refused objects (they are sent again when they change), or they are too large to be sent. */
  readonly onRefused?: (refusals: readonly Refusal[]) => void;
  /** The server has welcomed the stream. */
  readonly onWelcome?: (capabilities: readonly string[]) => void;
  readonly onEnd?: (reason: RelayError | undefined) => void;
}

/** One stream's sender. Make a new one for each stream, over the same table and sequence. */
export class PushSender implements StreamMachine<PushResponse, PushRequest> {
  readonly #options: PushSenderOptions;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #deltas: DeltaSender;
  #hello: Hello | undefined;
  #welcomed = false;
  #answered = 0;

  constructor(options: PushSenderOptions) {
    this.#options = options;
    const { cluster, sequence, kinds, capabilities = [], program = '' } = options;
    this.#hello = { type: 'hello', cluster, term: sequence.term, kinds, capabilities, program };
    this.#deltas = new DeltaSender({
      table: options.table,
      kinds,
      limits: relayLimits(options.limits),
      nextNumber: () => sequence.next(),
      complete: 'kind',
      ready: () => this.#driver.ready(),
      refused: (refusals) => options.onRefused?.(refusals),
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

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: PushResponse): void {
    if (this.#driver.ended) return;
    if (!this.#welcomed && message.type !== 'welcome') {
      throw new RelayError(
        'RELAY_E_PROTOCOL',
        `the server began the push stream with ${message.type} instead of welcome`,
      );
    }
    switch (message.type) {
      case 'welcome':
        if (message.window !== undefined) this.#deltas.window.grant(message.window);
        this.#welcomed = true;
        this.#options.onWelcome?.(message.capabilities);
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
      case 'heartbeat':
        break;
      default:
        message satisfies never;
    }
    this.#driver.ready();
  }

  next(): PushRequest | undefined {
    if (this.#driver.ended) return undefined;
    if (this.#hello !== undefined) {
      const hello = this.#hello;
      this.#hello = undefined;
      return hello;
    }
    if (!this.#welcomed) return undefined;
    return this.#deltas.nextWant() ?? this.#deltas.nextDelta();
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    this.#deltas.end();
    this.#options.onEnd?.(reason);
  }
}
