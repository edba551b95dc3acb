/**
 * Leader: publishes the roots of workloads in a ConfigMap, from which the server learns their trust, as for any other
 * mesh.
 */

import type { KubeObject } from '@meshrelay/api';
import { FencedError } from '@meshrelay/cluster-controllers';
import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import type { KubeConnection } from '@meshrelay/kube';
import { CONFIG_MAP, type ConfigMap, OWNER_LABEL, WORKLOAD_ROOTS, WORKLOAD_ROOTS_KEY } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { WorkloadCa } from './workload-ca.ts';

export interface RootsPublisherOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  readonly ca: Pick<WorkloadCa, 'ca' | 'listen'>;
  /** Called right before a write. @throws FencedError */
  readonly check: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Interval of checks for changes by other writers, in milliseconds. */
const RESYNC_INTERVAL_MS = 60_000;
/** Pauses after a failure, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };

/** Runs from construction until it is disposed. */
export class RootsPublisher implements AsyncDisposable {
  readonly #options: RootsPublisherOptions;
  readonly #unlisten: () => void;
  readonly #reconcileLoop: ReconcileLoop;
  #sent: string | undefined;

  constructor(options: RootsPublisherOptions) {
    this.#options = options;
    const { ca, clock, random } = options;
    this.#unlisten = ca.listen(() => this.#reconcileLoop.trigger());
    const pauses = new Backoff({ ...PAUSES, random });
    this.#reconcileLoop = new ReconcileLoop(clock, (signal) => this.#reconcile(pauses, signal));
  }

  /** Whether the ConfigMap contains the roots that workloads receive. */
  get sent(): boolean {
    return this.#sent !== undefined && this.#sent === this.#options.ca.ca?.rootsPem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten();
    await this.#reconcileLoop[Symbol.asyncDispose]();
  }

  async #reconcile(pauses: Backoff, signal: AbortSignal): Promise<number> {
    const { logger, namespace } = this.#options;
    try {
      await this.#report();
      pauses.reset();
      return RESYNC_INTERVAL_MS;
    } catch (error) {
      if (!(error instanceof FencedError) && !signal.aborted)
        logger.warn('the roots of workloads cannot be published', {
          configMap: `${namespace}/${WORKLOAD_ROOTS}`,
          error,
        });
      return pauses.next();
    }
  }

  async #report(): Promise<void> {
    const { connection, namespace, ca, check } = this.#options;
    const roots = ca.ca?.rootsPem;
    if (roots === undefined) return;
    const objects = connection.objects(CONFIG_MAP);
    const present = (await objects.read({ namespace, name: WORKLOAD_ROOTS })) as ConfigMap | undefined;
    const labels = present?.metadata.labels ?? {};
    if (present !== undefined && labels[OWNER_LABEL] === undefined)
      throw new Error('Meshrelay did not create it; delete it so that the agent can publish the roots');
    if (present?.data?.[WORKLOAD_ROOTS_KEY] !== roots) {
      check();
      const metadata = present?.metadata ?? { name: WORKLOAD_ROOTS, namespace, labels: { [OWNER_LABEL]: namespace } };
      const data = { [WORKLOAD_ROOTS_KEY]: roots };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as unknown as KubeObject;
      if (present === undefined) await objects.create(object);
      else await objects.replace(object);
    }
    this.#sent = roots;
  }
}
