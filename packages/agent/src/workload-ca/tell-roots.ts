/** The leader tells the roots that it gives workloads, in a ConfigMap: what the server learns of their trust, as of any other mesh's. */
import type { KubeObject } from '@meshrelay/api';
import { Backoff, type Clock, type KubeConnection, Lookout } from '@meshrelay/kube';
import { CONFIG_MAP, type ConfigMap, OWNER_LABEL, WORKLOAD_ROOTS, WORKLOAD_ROOTS_KEY } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { FencedError } from '../apply/fence.ts';
import type { WorkloadCa } from './workload-ca.ts';

export interface RootsTellerOptions {
  readonly connection: KubeConnection;
  /** The agent's own. */
  readonly namespace: string;
  readonly ca: Pick<WorkloadCa, 'ca' | 'listen'>;
  /** Right before a write. @throws FencedError */
  readonly check: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** What somebody may have changed is looked at this often, in milliseconds. */
const LOOK = 60_000;
/** Pauses after a failure, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };

/** Runs from its making until disposed. */
export class RootsTeller implements AsyncDisposable {
  readonly #options: RootsTellerOptions;
  readonly #unlisten: () => void;
  readonly #lookout: Lookout;
  #told: string | undefined;

  constructor(options: RootsTellerOptions) {
    this.#options = options;
    const { ca, clock, random } = options;
    this.#unlisten = ca.listen(() => this.#lookout.look());
    const pauses = new Backoff({ ...PAUSES, random });
    this.#lookout = new Lookout(clock, (signal) => this.#look(pauses, signal));
  }

  /** Whether the ConfigMap says what workloads are told. */
  get told(): boolean {
    return this.#told !== undefined && this.#told === this.#options.ca.ca?.rootsPem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unlisten();
    await this.#lookout[Symbol.asyncDispose]();
  }

  async #look(pauses: Backoff, signal: AbortSignal): Promise<number> {
    const { logger, namespace } = this.#options;
    try {
      await this.#tell();
      pauses.reset();
      return LOOK;
    } catch (error) {
      if (!(error instanceof FencedError) && !signal.aborted)
        logger.warn('the roots of workloads are not told', { configMap: `${namespace}/${WORKLOAD_ROOTS}`, error });
      return pauses.next();
    }
  }

  async #tell(): Promise<void> {
    const { connection, namespace, ca, check } = this.#options;
    const roots = ca.ca?.rootsPem;
    if (roots === undefined) return;
    const objects = connection.objects(CONFIG_MAP);
    const present = (await objects.read({ namespace, name: WORKLOAD_ROOTS })) as ConfigMap | undefined;
    const labels = present?.metadata.labels ?? {};
    if (present !== undefined && labels[OWNER_LABEL] === undefined)
      throw new Error('it is not ours; remove it, so that it can be known whether trust is established');
    if (present?.data?.[WORKLOAD_ROOTS_KEY] !== roots) {
      check();
      const metadata = present?.metadata ?? { name: WORKLOAD_ROOTS, namespace, labels: { [OWNER_LABEL]: namespace } };
      const data = { [WORKLOAD_ROOTS_KEY]: roots };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as unknown as KubeObject;
      if (present === undefined) await objects.create(object);
      else await objects.replace(object);
    }
    this.#told = roots;
  }
}
