/** The fencing term of a cluster's writers, kept in its OutputLedger. */
import { apiVersionOf, type KubeObject, type OutputLedger } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import { type Clock, systemClock } from './clock.ts';
import type { KubeConnection } from './connect/kube-connection.ts';
import { isKubeError, KubeError } from './errors.ts';
import { describe } from './objects/resource-path.ts';

/** The kind that holds the term. */
export const outputLedgerKind: ResourceKind = {
  group: 'admin.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'OutputLedger',
  plural: 'outputledgers',
  namespaced: true,
};

/** Which ledger, and who raises its term. */
export interface OutputLedgerTermOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  /** `agent` by default; there is one a cluster. */
  readonly name?: string;
  /** The identity written beside the term, for people. */
  readonly holder: string;
  /** A term that was seen elsewhere, say on objects that outlived their ledger: the next one is above it. */
  readonly floor?: () => number;
  readonly clock?: Clock;
  /** A number in [0, 1) that spreads attempts after a lost race. */
  readonly random?: () => number;
}

/** Lost races before it is called a failure; each means that another replica has raised the term meanwhile. */
const attempts = 8;

/** Raises and reads the term; fits an election's term store. */
export class OutputLedgerTerm {
  readonly #options: OutputLedgerTermOptions;
  readonly #key: { readonly namespace: string; readonly name: string };

  constructor(options: OutputLedgerTermOptions) {
    this.#options = options;
    this.#key = { namespace: options.namespace, name: options.name ?? 'agent' };
  }

  /** The stored term; 0 before the first was raised. */
  async read(signal?: AbortSignal): Promise<number> {
    return this.#termOf(await this.#ledger(signal));
  }

  /**
   * Raises the term by one, by compare-and-swap, and resolves with it: no other caller gets the same one. Creates the
   * ledger when there is none.
   * @throws KubeError of the call that failed, or RELAY_E_KUBE_CONFLICT after 8 lost races
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
      // Everything else the ledger says stays as it is.
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
