/** OutputLedger of this cluster: the term that may write, the inputs of the applied outputs, and the patched fields. */
import type { AppliedOutputs, KubeObject, OutputLedger, OutputLedgerSpec, PatchedField } from '@meshrelay/api';
import { type Clock, SequentialQueue } from '@meshrelay/concurrency';
import { isKubeError, type KindWatch, type KubeConnection, outputLedgerKind, watchKind } from '@meshrelay/kube';
import { apiVersionOf } from '@meshrelay/relay-core';
import type { InputVector } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type Fence, FencedError } from './fence.ts';
import { vectorFromText, vectorToText } from './vector-text.ts';

export interface OutputLedgerStoreOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fence: Fence;
  /** Written next to the term, for people. */
  readonly holder: string;
  /** Desired outputs, by kind. */
  readonly applied: () => readonly AppliedOutputs[];
  readonly requestSignal: () => AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One per cluster. */
const LEDGER_NAME = 'agent';
/** Minimum time between two writes, in milliseconds: vectors change whenever any cluster changes. */
const PAUSE = 1_000;
/** Writes of the ledger that may lose a race before the operation fails. */
const ATTEMPTS = 5;

/** Reads the ledger once, follows its term, and stores the applied vector in it. */
export class OutputLedgerStore implements AsyncDisposable {
  readonly #options: OutputLedgerStoreOptions;
  readonly #watch: KindWatch;
  readonly #stop = new AbortController();
  #vector: InputVector;
  #stored: InputVector | undefined;
  #writing: Promise<void> | undefined;
  #patches: readonly PatchedField[];
  readonly #writes = new SequentialQueue();

  private constructor(options: OutputLedgerStoreOptions, vector: InputVector, patches: readonly PatchedField[]) {
    this.#options = options;
    this.#patches = patches;
    this.#vector = vector;
    this.#stored = vector;
    const see = (ledger: KubeObject): void => {
      const { term } = (ledger.spec ?? {}) as Partial<OutputLedgerSpec>;
      if (term !== undefined) options.fence.saw(term);
    };
    const sink = {
      replaceAll: (ledgers: readonly KubeObject[]) => ledgers.forEach(see),
      upsert: see,
      // Without the ledger, the next term would start at 1 again.
      remove: () => this.#keep(),
      synced: () => {},
    };
    const { connection, namespace, clock } = options;
    const fieldSelector = `metadata.name=${LEDGER_NAME}`;
    this.#watch = watchKind(connection, outputLedgerKind, sink, { namespace, fieldSelector, clock });
  }

  /** @throws KubeError if the ledger cannot be read, Error if its vector is invalid */
  static async open(options: OutputLedgerStoreOptions): Promise<OutputLedgerStore> {
    const { connection, namespace } = options;
    const key = { namespace, name: LEDGER_NAME };
    const ledger = await connection.objects(outputLedgerKind).read(key, { signal: options.requestSignal() });
    const { inputVector = {}, term = 0, patches = [] } = (ledger?.spec ?? {}) as Partial<OutputLedger['spec']>;
    options.fence.saw(term);
    return new OutputLedgerStore(options, vectorFromText(inputVector), patches);
  }

  /** Inputs of the outputs that were applied last. */
  get vector(): InputVector {
    return this.#vector;
  }

  /** Patched fields of user objects, as recorded in the ledger. */
  get patches(): readonly PatchedField[] {
    return this.#patches;
  }

  /**
   * Stores the patch records. Resolves when the ledger has them; on an error, nothing changes.
   * @throws FencedError, KubeError
   */
  async keepPatches(change: (patches: readonly PatchedField[]) => readonly PatchedField[]): Promise<void> {
    await this.#writes.run(async () => {
      const patches = change(this.#patches);
      for (let attempt = 1; ; attempt++) {
        try {
          await this.#write(this.#vector, patches);
          break;
        } catch (error) {
          const raced = isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS');
          if (!raced || attempt === ATTEMPTS) throw error;
        }
      }
      this.#patches = patches;
    });
  }

  /** Whether the watch of the ledger is running. */
  get watching(): boolean {
    return this.#watch.state.phase === 'watching';
  }

  /** Records that the outputs of these inputs are applied. Stored soon; only the newest vector is written. */
  note(vector: InputVector): void {
    this.#vector = vector;
    this.#begin();
  }

  /** Stores pending changes, if this replica may still write, and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    if (this.#vector !== this.#stored) await this.#tryWrite();
    await this.#watch[Symbol.asyncDispose]();
  }

  #keep(): void {
    this.#stored = undefined;
    this.#begin();
  }

  #begin(): void {
    if (!this.#stop.signal.aborted) this.#writing ??= this.#writeUntilStored();
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
      await this.#writes.run(() => this.#write(vector, this.#patches));
      this.#stored = vector;
    } catch (error) {
      // Another writer has changed the ledger: it is read again at the next run.
      if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS')) return;
      if (error instanceof FencedError) return this.#stop.abort();
      this.#options.logger.warn('the applied inputs cannot be stored in the OutputLedger', { error });
    }
  }

  async #write(vector: InputVector, patches: readonly PatchedField[]): Promise<void> {
    const { connection, namespace, fence, holder, applied, requestSignal } = this.#options;
    const ledgers = connection.objects(outputLedgerKind);
    const metadata = { namespace, name: LEDGER_NAME };
    const stored = await ledgers.read(metadata, { signal: requestSignal() });
    const before = stored?.spec as OutputLedgerSpec | undefined;
    fence.saw(before?.term ?? 0);
    const { patches: _, ...rest } = { holder, ...before };
    const spec = {
      ...rest,
      term: fence.term,
      inputVector: vectorToText(vector),
      applied: applied(),
      ...(patches.length === 0 ? {} : { patches }),
    };
    const ledger = {
      ...(stored ?? { apiVersion: apiVersionOf(outputLedgerKind), kind: outputLedgerKind.kind, metadata }),
      spec,
    };
    fence.check();
    await (stored === undefined
      ? ledgers.create(ledger, { signal: requestSignal() })
      : ledgers.replace(ledger, { signal: requestSignal() }));
  }
}
