/** Leader: creates the CA of the agents' certificates and its successors, and passes its roots to their consumers. */
import { FencedError } from '@meshrelay/cluster-controllers';
import { type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { errorDetails } from '@meshrelay/host';
import { type KubeConnection, Secrets } from '@meshrelay/kube';
import { DATA_PLANE_CA_SECRET, OWNER_LABEL } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { newAuthority, renewedAuthority } from './authority-secret.ts';

export interface AuthorityKeeperOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  readonly trustDomain: string;
  readonly cluster: string;
  /** @throws FencedError when this replica may no longer write */
  readonly check: () => void;
  /** Called at each check with the roots for Envoys. PEM. */
  readonly roots: (pem: string) => void;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Interval of checks in milliseconds: after a failure, and otherwise. */
const AGAIN = 2_000;
const RESYNC_INTERVAL_MS = 60_000;

/** Runs from construction until it is disposed. */
export class AgentCaController implements AsyncDisposable {
  readonly #options: AuthorityKeeperOptions;
  readonly #secrets: Secrets;
  readonly #reconcileLoop: ReconcileLoop;

  constructor(options: AuthorityKeeperOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#reconcileLoop = new ReconcileLoop(options.clock, (signal) => this.#check(signal));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reconcileLoop[Symbol.asyncDispose]();
  }

  /** @returns milliseconds until the next check */
  async #check(signal: AbortSignal): Promise<number> {
    const { logger, roots } = this.#options;
    try {
      roots(await this.#reconcile());
      return RESYNC_INTERVAL_MS;
    } catch (error) {
      if (error instanceof FencedError) return Number.POSITIVE_INFINITY;
      if (!signal.aborted)
        logger.warn('the CA of the certificate for Envoys does not exist yet', { ...errorDetails(error) });
      return AGAIN;
    }
  }

  /** @returns the roots */
  async #reconcile(): Promise<string> {
    const { trustDomain, cluster, now, check, namespace, logger } = this.#options;
    const making = { trustDomain, cluster, now: now() };
    const found = await this.#secrets.read(DATA_PLANE_CA_SECRET);
    if (found === undefined) {
      const data = await newAuthority(making);
      check();
      await this.#secrets.create(DATA_PLANE_CA_SECRET, data, { labels: { [OWNER_LABEL]: namespace } });
      logger.info('a CA was created for the certificate that Envoys verify', { secret: DATA_PLANE_CA_SECRET });
      return data['ca.crt'] ?? '';
    }
    // Users renew a CA that they provide themselves.
    const next = found.managed ? await renewedAuthority(found.data, making) : undefined;
    if (next === undefined) return found.data['ca.crt'] ?? '';
    check();
    await this.#secrets.replace(found, next);
    logger.info('the CA of the certificate that Envoys verify is being rotated', {
      secret: DATA_PLANE_CA_SECRET,
    });
    return next['ca.crt'] ?? '';
  }
}
