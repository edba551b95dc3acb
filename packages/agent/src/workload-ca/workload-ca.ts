/**
 * The agent as the CA of its cluster's Envoys. It issues identities to authenticated Envoys, from the CA in a Secret,
 * and adopts changes of the Secret at once.
 */

import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { SecretSource, XdsCaller, XdsResource } from '@meshrelay/envoy-api/xds';
import { type KindWatch, type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import { WORKLOAD_CA_SECRET, WORKLOAD_SECRETS } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { rootsSecret } from './sds-secrets.ts';
import { readSigningCa, type SigningCa } from './signing-ca.ts';
import { SvidCache } from './svid-cache.ts';

export interface WorkloadCaCounters {
  /** Certificates of workloads. */
  issued(result: 'issued' | 'failed'): void;
  /** A caller requested a secret of another identity. */
  refused(): void;
}

export interface WorkloadCaOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  readonly inUse: (account: VerifiedServiceAccount) => boolean;
  /** Called when secrets of these names have changed. @param whose omitted: of all accounts */
  readonly changed: (names: readonly string[], whose?: VerifiedServiceAccount) => void;
  readonly counters: WorkloadCaCounters;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Pauses after a Secret could not be read, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };

/** Runs from construction until it is disposed. A valid CA stays in use while its replacement is invalid. */
export class WorkloadCa implements SecretSource, AsyncDisposable {
  readonly #options: WorkloadCaOptions;
  readonly #secrets: Secrets;
  readonly #watch: KindWatch;
  readonly #book: SvidCache;
  readonly #reconcileLoop: ReconcileLoop;
  readonly #listeners = new Set<() => void>();
  #ca: SigningCa | undefined;
  #roots: XdsResource | undefined;

  constructor(options: WorkloadCaOptions) {
    const { connection, namespace, inUse, changed, counters, clock, now, random, logger } = options;
    this.#options = options;
    this.#secrets = new Secrets(connection, namespace);
    this.#book = new SvidCache({
      inUse,
      changed: (account) => changed([WORKLOAD_SECRETS.certificate], account),
      issued: counters.issued,
      onError: (account, error) => logger.warn('a workload cannot get a certificate yet', { ...account, error }),
      clock,
      now,
      random,
    });
    this.#watch = watchSecret(connection, {
      namespace,
      name: WORKLOAD_CA_SECRET,
      changed: () => this.#reconcileLoop.trigger(),
    });
    const pauses = new Backoff({ ...PAUSES, random });
    this.#reconcileLoop = new ReconcileLoop(clock, (signal) => this.#reconcile(pauses, signal));
  }

  /** The current signer, if any. */
  get ca(): SigningCa | undefined {
    return this.#ca;
  }

  /** Number of workloads with a certificate, and the earliest expiry. */
  get certificates(): Pick<SvidCache, 'size' | 'expiry'> {
    return this.#book;
  }

  get(caller: XdsCaller, name: string): XdsResource | undefined {
    if (name === WORKLOAD_SECRETS.roots) return this.#roots;
    return name === WORKLOAD_SECRETS.certificate ? this.#book.get(caller) : undefined;
  }

  /** Every caller receives both, once there is a CA and the certificate is issued. */
  isAwaited(_caller: XdsCaller, name: string): boolean {
    return name === WORKLOAD_SECRETS.roots || name === WORKLOAD_SECRETS.certificate;
  }

  /**
   * Names shared by all callers may be requested again while a configuration is removed. All other names belong to
   * another identity.
   */
  refused({ namespace, serviceAccount }: XdsCaller, name: string): void {
    if (name === WORKLOAD_SECRETS.roots || name === WORKLOAD_SECRETS.certificate) return;
    const { counters, logger } = this.#options;
    counters.refused();
    logger.debug('an SDS request was denied', { namespace, serviceAccount });
  }

  /** @param changed called whenever another CA signs or the roots change; @returns a function that unregisters it */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reconcileLoop[Symbol.asyncDispose](), this.#watch[Symbol.asyncDispose]()]);
    await this.#book[Symbol.asyncDispose]();
  }

  async #reconcile(pauses: Backoff, signal: AbortSignal): Promise<number> {
    try {
      await this.#read();
      pauses.reset();
      return Number.POSITIVE_INFINITY;
    } catch (error) {
      const { logger } = this.#options;
      if (!signal.aborted) logger.warn('the CA of workloads cannot be used', { secret: WORKLOAD_CA_SECRET, error });
      return pauses.next();
    }
  }

  /** @throws Error that describes the problem; the previous CA stays in use */
  async #read(): Promise<void> {
    const stored = await this.#secrets.read(WORKLOAD_CA_SECRET);
    if (stored === undefined) return;
    const ca = readSigningCa(stored.data, this.#options.now());
    if (ca.id === this.#ca?.id) return;
    const roots = ca.rootsPem === this.#ca?.rootsPem ? this.#roots : undefined;
    this.#ca = ca;
    this.#roots = roots ?? rootsSecret(WORKLOAD_SECRETS.roots, ca.rootsPem);
    const { certificate } = ca.authority;
    this.#options.logger.info('workloads get certificates', {
      trustDomain: ca.trustDomain,
      serial: certificate.serial,
      notAfter: certificate.notAfter.toISOString(),
    });
    // Peers that trust the new roots will already accept what is signed under them next.
    if (roots === undefined) this.#options.changed([WORKLOAD_SECRETS.roots]);
    this.#book.use(ca);
    for (const listener of this.#listeners) listener();
  }
}
