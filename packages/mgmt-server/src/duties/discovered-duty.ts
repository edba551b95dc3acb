/** The Lease holder's second duty: discovered objects into the management cluster, and away when they are gone. */
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KindWatch, type KubeConnection, type ObjectKey, watchKind } from '@meshrelay/kube';
import { type ChangeSet, CLUSTER_LABEL, canonicalJson, isOurs, key, partsOf } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { resourceOf } from '../input/kinds.ts';
import type { SafeMode } from '../output/safe-mode.ts';
import type { Fleet } from '../store/fleet.ts';
import { sha256 } from '../store/hash.ts';
import { KeyedWork } from './keyed-work.ts';

const KINDS = ['Mesh', 'Workload', 'Destination'] as const;
type DiscoveredKind = (typeof KINDS)[number];

/** Tells whether an object must be written again without comparing it whole. */
export const HASH_ANNOTATION = 'meshrelay.dev/hash';
const FIELD_MANAGER = 'meshrelay-server';

export interface DiscoveredDutyOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly safeMode: () => SafeMode;
  readonly logger: Logger;
}

export class DiscoveredDuty implements AsyncDisposable {
  readonly #options: DiscoveredDutyOptions;
  readonly #work: KeyedWork;
  readonly #watches: KindWatch[];
  /** What the management cluster has of ours: hash and cluster by `key(kind, name)`. */
  readonly #present = new Map<string, { readonly hash: string | undefined; readonly cluster: string }>();

  constructor(options: DiscoveredDutyOptions) {
    this.#options = options;
    this.#work = new KeyedWork({
      run: (id) => this.#reconcile(id),
      logger: options.logger.child('discovered'),
      concurrency: 4,
    });
    this.#watches = KINDS.map((kind) => this.#watch(kind));
    for (const [id] of options.fleet.controlPlane.discovered.entries()) this.#work.add(id);
  }

  get depth(): number {
    return this.#work.depth;
  }

  changed(changes: ChangeSet): void {
    for (const { key: id } of changes.of(this.#options.fleet.controlPlane.discovered)) this.#work.add(id);
  }

  /** More is known than before: what could not be taken for gone may be now. */
  recheck(): void {
    for (const id of this.#present.keys()) if (!this.#options.fleet.controlPlane.discovered.has(id)) this.#work.add(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch[Symbol.asyncDispose]()));
    await this.#work[Symbol.asyncDispose]();
  }

  #watch(kind: DiscoveredKind): KindWatch {
    const { connection, namespace } = this.#options;
    const seen = (object: KubeObject): void => {
      const id = key(kind, object.metadata.name);
      if (!isOurs(object)) return;
      this.#present.set(id, {
        hash: object.metadata.annotations?.[HASH_ANNOTATION],
        cluster: object.metadata.labels?.[CLUSTER_LABEL] ?? '',
      });
      this.#work.add(id);
    };
    const gone = ({ name }: ObjectKey): void => {
      this.#present.delete(key(kind, name));
      this.#work.add(key(kind, name));
    };
    const sink = {
      replaceAll: (objects: readonly KubeObject[]) => {
        for (const id of [...this.#present.keys()])
          if (partsOf(id)[0] === kind) gone({ name: partsOf(id)[1] ?? '', namespace });
        for (const object of objects) seen(object);
      },
      upsert: seen,
      remove: gone,
      synced: () => undefined,
    };
    // Only labels and the hash are looked at.
    return watchKind(connection, resourceOf(kind), sink, {
      namespace,
      transform: ({ apiVersion, kind: kindName, metadata }) => ({ apiVersion, kind: kindName, metadata, spec: {} }),
    });
  }

  async #reconcile(id: string): Promise<void> {
    const { fleet, connection, namespace } = this.#options;
    const [kind, name = ''] = partsOf(id) as [DiscoveredKind, string];
    const objects = connection.objects(resourceOf(kind));
    const desired = fleet.controlPlane.discovered.get(id);
    const present = this.#present.get(id);
    if (desired === undefined) {
      if (present === undefined || !this.#isGone(present.cluster)) return;
      await objects.delete({ namespace, name }).catch((error: unknown) => {
        if (!isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) throw error;
      });
      return;
    }
    const hash = sha256(canonicalJson(desired));
    if (present?.hash === hash) return;
    const { metadata } = desired;
    await objects.apply(
      { ...desired, metadata: { ...metadata, annotations: { ...metadata.annotations, [HASH_ANNOTATION]: hash } } },
      { fieldManager: FIELD_MANAGER, force: true },
    );
  }

  /** Absence is not deletion: only what a cluster that is known in full does not have is gone, or what belongs to no cluster any more. */
  #isGone(cluster: string): boolean {
    const { fleet, safeMode } = this.#options;
    if (safeMode().unknownKinds.length > 0) return false;
    return !fleet.isRegistered(cluster) || fleet.progress.get(cluster)?.complete === true;
  }
}
