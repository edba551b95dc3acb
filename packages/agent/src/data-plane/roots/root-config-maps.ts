/**
 * Distributes the roots of the agent's certificate: a ConfigMap in each namespace with Envoys, for their pods to mount.
 * The owner label marks managed ConfigMaps. A user's ConfigMap of the same name stays unchanged and is reported.
 */

import type { KubeObject } from '@meshrelay/api';
import { FencedError, type RightsCommand, watchLog, withCommand } from '@meshrelay/cluster-controllers';
import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { errorDetails } from '@meshrelay/host';
import {
  configMapKind,
  isKubeError,
  type KindSink,
  type KindWatch,
  type KubeConnection,
  type ObjectKey,
  watchKind,
} from '@meshrelay/kube';
import { OWNER_LABEL, ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';

export interface RootConfigMapsOptions {
  readonly connection: KubeConnection;
  /** Value of the owner label on managed objects. */
  readonly owner: string;
  /** Namespaces that must have a ConfigMap. */
  readonly required: () => ReadonlySet<string>;
  /** Whether that set is complete; before that, no ConfigMap is deleted. */
  readonly known: () => boolean;
  /** @throws FencedError when this replica may no longer write */
  readonly check: () => void;
  readonly rightsCommand: RightsCommand;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/**
 * Pauses in milliseconds. A namespace may appear after its content is discovered, and its deletion may take a while.
 */
const PAUSES = { first: 500, longest: 30_000 };
const RESYNC_INTERVAL_MS = 60_000;

/** Runs from construction until it is disposed. */
export class RootConfigMaps implements KindSink, AsyncDisposable {
  readonly #options: RootConfigMapsOptions;
  readonly #there = new Map<string, KubeObject>();
  readonly #foreign = new Set<string>();
  readonly #watch: KindWatch;
  readonly #reconcileLoop: ReconcileLoop;
  #roots: string | undefined;

  constructor(options: RootConfigMapsOptions) {
    this.#options = options;
    const { connection, clock, random, logger } = options;
    this.#watch = watchKind(connection, configMapKind, this, {
      fieldSelector: `metadata.name=${ROOTS_CONFIG_MAP}`,
      clock,
      observer: watchLog(logger, configMapKind.kind),
    });
    const pauses = new Backoff({ ...PAUSES, random });
    this.#reconcileLoop = new ReconcileLoop(clock, async (signal) => {
      if (!(await this.#reconcileAll(signal))) return pauses.next();
      pauses.reset();
      return RESYNC_INTERVAL_MS;
    });
  }

  /** Number of namespaces that have the roots. */
  get size(): number {
    return [...this.#there.values()].filter((object) => this.#isManaged(object)).length;
  }

  /** Sets the current roots. PEM. */
  set roots(pem: string) {
    this.#roots = pem;
    this.reconcile();
  }

  /** Triggers a reconciliation, because the required namespaces changed. */
  reconcile(): void {
    this.#reconcileLoop.trigger();
  }

  replaceAll(objects: readonly KubeObject[]): void {
    this.#there.clear();
    for (const object of objects) this.upsert(object);
    this.reconcile();
  }

  upsert(object: KubeObject): void {
    this.#there.set(object.metadata.namespace ?? '', object);
    this.reconcile();
  }

  remove({ namespace = '' }: ObjectKey): void {
    this.#there.delete(namespace);
    this.reconcile();
  }

  synced(): void {}

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reconcileLoop[Symbol.asyncDispose](), this.#watch[Symbol.asyncDispose]()]);
  }

  /** @returns whether no work is left */
  async #reconcileAll(signal: AbortSignal): Promise<boolean> {
    const roots = this.#roots;
    // Existing ConfigMaps must be known before any is created, and required namespaces before any is deleted.
    if (roots === undefined || !this.#watch.complete) return true;
    const { required, known } = this.#options;
    const namespaces = required();
    let done = true;
    for (const namespace of namespaces)
      done = (await this.#tried(namespace, () => this.#put(namespace, roots), signal)) && done;
    if (!known()) return done;
    for (const [namespace, object] of [...this.#there])
      if (!namespaces.has(namespace) && this.#isManaged(object))
        done = (await this.#tried(namespace, () => this.#take(object), signal)) && done;
    return done;
  }

  async #put(namespace: string, roots: string): Promise<void> {
    const { connection, owner, check, logger } = this.#options;
    const found = this.#there.get(namespace);
    if (found !== undefined && !this.#isManaged(found)) {
      if (!this.#foreign.has(namespace))
        logger.error('a ConfigMap with the name of the roots for Envoys was not created by Meshrelay; rename it', {
          namespace,
          name: ROOTS_CONFIG_MAP,
        });
      this.#foreign.add(namespace);
      return;
    }
    this.#foreign.delete(namespace);
    const data = { 'ca.crt': roots };
    if (found !== undefined && JSON.stringify((found as { data?: unknown }).data) === JSON.stringify(data)) return;
    const metadata = { name: ROOTS_CONFIG_MAP, namespace, labels: { [OWNER_LABEL]: owner } };
    const objects = connection.objects(configMapKind);
    check();
    const written =
      found === undefined
        ? await objects.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as unknown as KubeObject)
        : await objects.replace({ ...found, data } as unknown as KubeObject);
    this.#there.set(namespace, written);
  }

  async #take(object: KubeObject): Promise<void> {
    const { connection, check } = this.#options;
    const { name, namespace = '', uid, resourceVersion } = object.metadata;
    check();
    await connection.objects(configMapKind).delete({ name, namespace }, { expected: { uid, resourceVersion } });
    this.#there.delete(namespace);
  }

  async #tried(namespace: string, work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return true;
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof FencedError) return true;
      // The watch reports the actual object instead.
      if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || isKubeError(error, 'RELAY_E_KUBE_EXISTS')) return false;
      const { logger, rightsCommand } = this.#options;
      const why = errorDetails(withCommand(error, rightsCommand(`--envoy-namespace ${namespace}`)));
      logger.warn('the roots for Envoys are not written yet', { namespace, ...why });
      return false;
    }
  }

  #isManaged({ metadata }: KubeObject): boolean {
    return metadata.labels?.[OWNER_LABEL] === this.#options.owner;
  }
}
