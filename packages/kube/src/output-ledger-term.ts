/** The fencing term of a cluster's writers, stored in its OutputLedger. */
import { apiVersionOf, type KubeObject, type OutputLedger } from '@meshrelay/api';
import { type Clock, systemClock } from '@meshrelay/concurrency';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from './connect/kube-connection.ts';
import { isKubeError, KubeError } from './errors.ts';
import { describe } from './objects/resource-path.ts';

/** The kind with the term. */
export const outputLedgerKind: ResourceKind = {
  group: 'admin.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'OutputLedger',
  plural: 'outputledgers',
  namespaced: true,
};

/** The ledger, and the replica that raises its term. */
export interface OutputLedgerTermOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  /** `agent` by default; there is one per cluster. */
  readonly name?: string;
  /** The identity stored with the term, for users. */
  readonly holder: string;
  /** A term found in other objects, for example in objects that outlived their ledger: the next term is higher. */
  readonly floor?: () => number;
  readonly clock?: Clock;
  /** A number in [0, 1) for the jitter of attempts after a lost race. */
  readonly random?: () => number;
}

/** Maximum number of lost races; each means that another replica raised the term meanwhile. */
const attempts = 8;

/** Raises and reads the term; usable as the term store of an election. */
export class OutputLedgerTerm {
  readonly #options: OutputLedgerTermOptions;
  readonly #key: { readonly namespace: string; readonly name: string };

  constructor(options: OutputLedgerTermOptions) {
    this.#options = options;
    this.#key = { namespace: options.namespace, name: options.name ?? 'agent' };
  }

  /** The stored term; 0 before the first one. */
  async read(signal?: AbortSignal): Promise<number> {
    return this.#termOf(await this.#ledger(signal));
  }

  /**
   * Raises the term by one, by compare-and-swap, and resolves with it: no other caller gets the same one. Creates a
   * missing ledger.
   * @throws KubeError of the failed call, or RELAY_E_KUBE_CONFLICT after 8 lost races
   */
  async raise(signal?: AbortSignal): Promise<number> {
    const { clock = systemClock, random = Math.random } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#raiseOnce(signal);
      } catch (error) {
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS') || attempt === attempts) throw error;
        await clock.sleep(50 * attempt * random(), signal);
        signal?.throwIfAborted();
      }
    }
  }

  async #raiseOnce(signal: AbortSignal | undefined): Promise<number> {
    const { connection, holder, floor = () => 0 } = this.#options;
    const ledgers = connection.objects(outputLedgerKind);
    const stored = await this.#ledger(signal);
    const term = Math.max(this.#termOf(stored), floor()) + 1;
    if (stored === undefined) {
      const { kind } = outputLedgerKind;
      const metadata = this.#key;
      const apiVersion = apiVersionOf(outputLedgerKind);
      await ledgers.create({ apiVersion, kind, metadata, spec: { term, holder } }, { signal });
    } else {
      // All other fields of the ledger stay unchanged.
      await ledgers.replace({ ...stored, spec: { ...(stored.spec as object), term, holder } }, { signal });
    }
    return term;
  }

  #ledger(signal: AbortSignal | undefined): Promise<KubeObject | undefined> {
    return this.#options.connection.objects(outputLedgerKind).read(this.#key, { signal });
  }

  #termOf(stored: KubeObject | undefined): number {
    if (stored === undefined) return 0;
    const { term } = (stored.spec ?? {}) as Partial<OutputLedger['spec']>;
    if (Number.isSafeInteger(term) && (term as number) >= 0) return term as number;
    const what = describe(outputLedgerKind, this.#key);
    throw new KubeError(
      'RELAY_E_KUBE_INVALID',
      `${what}: spec.term must be a whole number, found ${JSON.stringify(term)}`,
      { next: 'set it above every term used before' },
    );
  }
}
