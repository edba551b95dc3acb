/**
 * Controller of the Lease holder that writes discovered objects into the management cluster, and deletes them when
 * their source is gone.
 */

import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import {
  type KindWatch,
  type KubeConnection,
  meshrelayKind,
  type ObjectKey,
  StatusWriter,
  versionNumber,
  watchKind,
} from '@meshrelay/kube';
import {
  type ChangeSet,
  CLUSTER_LABEL,
  canonicalJson,
  isManaged,
  key,
  type PublishedFleet,
  partsOf,
} from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { WorkQueue } from './keyed-work.ts';

const KINDS = ['Mesh', 'Workload', 'Destination'] as const;
type DiscoveredKind = (typeof KINDS)[number];

/** Shows whether an object must be written again, without a full comparison. */
export const HASH_ANNOTATION = 'meshrelay.dev/hash';
const FIELD_MANAGER = 'meshrelay-server';

export interface DiscoveredControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Pick<Fleet, 'isRegistered' | 'progress'>;
  readonly shown: PublishedFleet;
  readonly management: Pick<ManagementInputs, 'registryKnown'>;
  readonly logger: Logger;
}

/** An object of a discovered kind in the management cluster. */
interface Present {
  readonly managed: boolean;
  readonly hash: string | undefined;
  readonly cluster: string;
  readonly uid: string | undefined;
  readonly generation: number;
  readonly version: number;
  readonly status: unknown;
}

export class DiscoveredController implements AsyncDisposable {
  readonly #options: DiscoveredControllerOptions;
  readonly #logger: Logger;
  readonly #work: WorkQueue;
  readonly #statuses: StatusWriter;
  readonly #watches: KindWatch[];
  /**
   * Kinds whose objects in the management cluster are listed. Other kinds are not written, since all their objects
   * would seem to be missing.
   */
  readonly #listed = new Set<string>();
  /** By `key(kind, name)`, as in the graph. */
  readonly #present = new Map<string, Present>();
  /**
   * Generation of each object after the server's last write. A later generation means that another client changed it.
   */
  readonly #written = new Map<string, number>();

  constructor(options: DiscoveredControllerOptions) {
    this.#options = options;
    this.#logger = options.logger.child('discovered');
    this.#work = new WorkQueue({
      run: (id, signal) => this.#reconcile(id, signal),
      logger: this.#logger,
      concurrency: 4,
    });
    this.#statuses = new StatusWriter({
      connection: options.connection,
      fieldManager: FIELD_MANAGER,
      onRefused: (object, error) => this.#logger.error('status of a discovered object rejected', { object, error }),
    });
    this.#watches = KINDS.map((kind) => this.#watch(kind));
  }

  get depth(): number {
    return this.#work.depth + this.#statuses.depth;
  }

  changed(changes: ChangeSet): void {
    const { discovered, statuses } = this.#options.shown;
    for (const { key: id } of changes.of(discovered)) this.#work.add(id);
    for (const { key: id } of changes.of(statuses)) this.#announce(id);
  }

  /** More is synced than before: objects that could not count as deleted may count now. */
  recheck(): void {
    for (const id of this.#present.keys()) if (!this.#options.shown.discovered.has(id)) this.#work.add(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch[Symbol.asyncDispose]()));
    await this.#work[Symbol.asyncDispose]();
    await this.#statuses[Symbol.asyncDispose]();
  }

  /** Writes the effective settings of an object as its status; nothing if it never had a status. */
  #announce(id: string): void {
    const [kind, name = ''] = partsOf(id) as [DiscoveredKind, string];
    const present = this.#present.get(id);
    const status = this.#options.shown.statuses.get(id);
    if (present?.managed !== true || (status === undefined && present.status === undefined)) return;
    this.#statuses.set(
      meshrelayKind(kind),
      { namespace: this.#options.namespace, name },
      status ?? withoutReports(present),
      present.status === undefined ? undefined : present,
    );
  }

  #watch(kind: DiscoveredKind): KindWatch {
    const { connection, namespace, shown } = this.#options;
    const seen = (object: KubeObject): void => {
      const id = key(kind, object.metadata.name);
      this.#present.set(id, presentOf(object));
      this.#work.add(id);
      this.#announce(id);
    };
    const gone = ({ name }: ObjectKey): void => {
      const id = key(kind, name);
      this.#present.delete(id);
      this.#written.delete(id);
      this.#statuses.forget(meshrelayKind(kind), { namespace, name: partsOf(id)[1] ?? '' });
      this.#work.add(id);
    };
    const sink = {
      replaceAll: (objects: readonly KubeObject[]) => {
        for (const id of [...this.#present.keys()]) if (partsOf(id)[0] === kind) this.#present.delete(id);
        for (const object of objects) seen(object);
      },
      upsert: seen,
      remove: gone,
      synced: () => {
        this.#listed.add(kind);
        for (const [id] of shown.discovered.entries()) if (partsOf(id)[0] === kind) this.#work.add(id);
      },
    };
    // The watch needs metadata and status only.
    return watchKind(connection, meshrelayKind(kind), sink, {
      namespace,
      transform: ({ apiVersion, kind: kindName, metadata: { managedFields: _, ...metadata }, status }) => ({
        apiVersion,
        kind: kindName,
        metadata,
        spec: {},
        ...(status === undefined ? {} : { status }),
      }),
    });
  }

  async #reconcile(id: string, signal: AbortSignal): Promise<void> {
    const { shown, connection, namespace } = this.#options;
    const [kind, name = ''] = partsOf(id) as [DiscoveredKind, string];
    if (!this.#listed.has(kind)) return;
    const objects = connection.objects(meshrelayKind(kind));
    const desired = shown.discovered.get(id);
    const present = this.#present.get(id);
    if (desired === undefined) {
      if (present === undefined || !present.managed || !this.#isGone(present.cluster)) return;
      await objects.delete({ namespace, name }, { expected: { uid: present.uid }, signal });
      return;
    }
    if (present?.managed === false) {
      this.#logger.warn('an object that the server did not create has the name of a discovered one; rename it', {
        kind,
        name,
      });
      return;
    }
    const hash = sha256(canonicalJson(desired));
    if (present?.hash === hash && present.generation <= (this.#written.get(id) ?? present.generation)) return;
    const { metadata } = desired;
    const applied = await objects.apply(
      { ...desired, metadata: { ...metadata, annotations: { ...metadata.annotations, [HASH_ANNOTATION]: hash } } },
      { fieldManager: FIELD_MANAGER, force: true, signal },
    );
    this.#written.set(id, applied.metadata.generation ?? 0);
  }

  /**
   * Absence is not deletion. An object is gone if its cluster is synced and lacks it, or if its cluster is no longer
   * registered.
   */
  #isGone(cluster: string): boolean {
    const { fleet, management } = this.#options;
    if (!management.registryKnown) return false;
    return !fleet.isRegistered(cluster) || fleet.progress.get(cluster)?.complete === true;
  }
}

/** Not an empty status: in apply, the API server replaces it by null and then rejects that. */
function withoutReports({ generation }: Present): object {
  return { observedGeneration: generation };
}

function presentOf(object: KubeObject): Present {
  const { labels, annotations, uid, generation = 0, resourceVersion } = object.metadata;
  const cluster = labels?.[CLUSTER_LABEL] ?? '';
  return {
    managed: isManaged(object),
    hash: annotations?.[HASH_ANNOTATION],
    cluster,
    uid,
    generation,
    version: versionNumber(resourceVersion),
    status: object.status,
  };
}
