/** The agent as the CA of its cluster's Envoys: identities for those who proved them, from the CA in a Secret, which is taken up as soon as it changes. */

import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { SecretSource, XdsCaller, XdsResource } from '@meshrelay/envoy-api/xds';
import {
  Backoff,
  type Clock,
  type KindWatch,
  type KubeConnection,
  ReconcileLoop,
  Secrets,
  watchSecret,
} from '@meshrelay/kube';
import { WORKLOAD_CA_SECRET, WORKLOAD_SECRETS } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { rootsSecret } from './sds-secrets.ts';
import { readSigningCa, type SigningCa } from './signing-ca.ts';
import { SvidCache } from './svid-cache.ts';

/** What is counted. */
export interface WorkloadCaCounters {
  /** Certificates of workloads. */
  issued(result: 'issued' | 'failed'): void;
  /** A caller asked for what is another's. */
  refused(): void;
}

export interface WorkloadCaOptions {
  readonly connection: KubeConnection;
  /** The agent's own. */
  readonly namespace: string;
  readonly inUse: (account: VerifiedServiceAccount) => boolean;
  /** Secrets of these names are others now. @param whose omitted: everybody's */
  readonly changed: (names: readonly string[], whose?: VerifiedServiceAccount) => void;
  readonly counters: WorkloadCaCounters;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Pauses after a Secret that could not be read, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };

/** Runs from its making until disposed. What was good serves on while what took its place is not. */
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
      onError: (account, error) => logger.warn('a workload gets no certificate yet', { ...account, error }),
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

  /** What signs now; undefined while there is none. */
  get ca(): SigningCa | undefined {
    return this.#ca;
  }

  /** Workloads with a certificate, and when the first of those ends. */
  get certificates(): Pick<SvidCache, 'size' | 'expiry'> {
    return this.#book;
  }

  get(caller: XdsCaller, name: string): XdsResource | undefined {
    if (name === WORKLOAD_SECRETS.roots) return this.#roots;
    return name === WORKLOAD_SECRETS.certificate ? this.#book.get(caller) : undefined;
  }

  /** Every caller is to have both, once there is a CA and the certificate is made. */
  isAwaited(_caller: XdsCaller, name: string): boolean {
    return name === WORKLOAD_SECRETS.roots || name === WORKLOAD_SECRETS.certificate;
  }

  /** Names that are everybody's own are asked for once more while a configuration goes; all others are another's. */
  refused({ namespace, serviceAccount }: XdsCaller, name: string): void {
    if (name === WORKLOAD_SECRETS.roots || name === WORKLOAD_SECRETS.certificate) return;
    const { counters, logger } = this.#options;
    counters.refused();
    logger.debug('a secret was refused', { namespace, serviceAccount });
  }

  /** @param changed called whenever another CA signs, or other roots count; @returns ends it */
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

  /** @throws Error that says what is wrong with it; what was there before serves on */
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
    // Who trusts the new roots already accepts what is signed under them next.
    if (roots === undefined) this.#options.changed([WORKLOAD_SECRETS.roots]);
    this.#book.use(ca);
    for (const listener of this.#listeners) listener();
  }
}
