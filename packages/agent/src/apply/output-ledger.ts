/** The OutputLedger of this cluster: which term may write, and what inputs the outputs that were applied are of. */
import type { AppliedOutputs, KubeObject, OutputLedger, OutputLedgerSpec } from '@meshrelay/api';
import {
  type Clock,
  isKubeError,
  type KindWatch,
  type KubeConnection,
  outputLedgerKind,
  watchKind,
} from '@meshrelay/kube';
import type { InputVector } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type Fence, FencedError } from './fence.ts';
import { vectorFromText, vectorToText } from './vector-text.ts';

export interface OutputLedgerStoreOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fence: Fence;
  /** What is wanted now, by kind. */
  readonly applied: () => readonly AppliedOutputs[];
  readonly requestSignal: () => AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One a cluster. */
export const LEDGER_NAME = 'agent';
/** The least time between two writes, in milliseconds: vectors move whenever any cluster changes. */
const PAUSE = 1_000;

/** Reads the ledger once, follows its term, and keeps the applied vector in it. */
export class OutputLedgerStore implements AsyncDisposable {
  readonly #options: OutputLedgerStoreOptions;
  readonly #watch: KindWatch;
  readonly #stop = new AbortController();
  #vector: InputVector;
  #stored: InputVector;
  #writing: Promise<void> | undefined;

  private constructor(options: OutputLedgerStoreOptions, vector: InputVector) {
    this.#options = options;
    this.#vector = vector;
    this.#stored = vector;
    const see = (ledger: KubeObject): void => {
      const { term } = (ledger.spec ?? {}) as Partial<OutputLedgerSpec>;
      if (term !== undefined) options.fence.saw(term);
    };
    const sink = {
      replaceAll: (ledgers: readonly KubeObject[]) => ledgers.forEach(see),
      upsert: see,
      remove: () => {},
      synced: () => {},
    };
    const { connection, namespace, clock } = options;
    const fieldSelector = `metadata.name=${LEDGER_NAME}`;
    this.#watch = watchKind(connection, outputLedgerKind, sink, { namespace, fieldSelector, clock });
  }

  /** @throws KubeError when the ledger cannot be read, Error when its vector makes no sense */
  static async open(options: OutputLedgerStoreOptions): Promise<OutputLedgerStore> {
    const { connection, namespace } = options;
    const ledger = await connection.objects(outputLedgerKind).read({ namespace, name: LEDGER_NAME });
    const { inputVector = {}, term = 0 } = (ledger?.spec ?? {}) as Partial<OutputLedger['spec']>;
    options.fence.saw(term);
    return new OutputLedgerStore(options, vectorFromText(inputVector));
  }

  /** The inputs of what was applied last. */
  get vector(): InputVector {
    return this.#vector;
  }

  /** Outputs of these inputs are applied. Kept soon, the newest of those that come meanwhile. */
  note(vector: InputVector): void {
    this.#vector = vector;
    if (this.#stop.signal.aborted) return;
    this.#writing ??= this.#writeUntilStored();
  }

  /** Stores what is not stored yet, if that is still allowed, and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    if (this.#vector !== this.#stored) await this.#tryWrite();
    await this.#watch[Symbol.asyncDispose]();
  }

  async #writeUntilStored(): Promise<void> {
    const { clock } = this.#options;
    while (this.#vector !== this.#stored && !this.#stop.signal.aborted) {
      await this.#tryWrite();
      await clock.sleep(PAUSE, this.#stop.signal);
    }
    this.#writing = undefined;
  }

  async #tryWrite(): Promise<void> {
    const vector = this.#vector;
    try {
      await this.#write(vector);
      this.#stored = vector;
    } catch (error) {
      // Lost to another writer of the ledger: read again at the next turn.
      if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) return;
      if (error instanceof FencedError) return this.#stop.abort();
      this.#options.logger.warn('the applied inputs cannot be stored in the OutputLedger', { error });
    }
  }

  async #write(vector: InputVector): Promise<void> {
    const { connection, namespace, fence, applied, requestSignal } = this.#options;
    const ledgers = connection.objects(outputLedgerKind);
    const stored = await ledgers.read({ namespace, name: LEDGER_NAME }, { signal: requestSignal() });
    const spec = stored?.spec as OutputLedgerSpec | undefined;
    // Without a ledger there is no term to write under: the next leader makes one.
    if (stored === undefined || spec === undefined) return;
    fence.saw(spec.term);
    const next = { ...spec, inputVector: vectorToText(vector), applied: applied() };
    fence.check();
    await ledgers.replace({ ...stored, spec: next }, { signal: requestSignal() });
  }
}
