/** What the management cluster tells: clusters, policies, settings and the ledger, watched into the world. */
import { decodeObject, type KindName, type KubeObject } from '@meshrelay/api';
import { type KindWatch, type KubeConnection, type ObjectKey, watchKind } from '@meshrelay/kube';
import { deleteObject, MANAGEMENT_CLUSTER, setObject } from '@meshrelay/relay-core';
import type { InputVersion } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import { resourceOf } from './kinds.ts';

/** Kinds of which only the objects of the management namespace count. */
const OURS_ALONE: readonly KindName[] = ['KubernetesCluster', 'Settings', 'Ledger'];
const POLICIES: readonly KindName[] = ['VirtualMesh', 'TrafficPolicy', 'AccessPolicy'];

export interface ManagementOptions {
  readonly connection: KubeConnection;
  readonly fleet: Fleet;
  readonly namespace: string;
  readonly logger: Logger;
  /** Called after what was seen in one tick is in the graph. */
  readonly changed: () => void;
}

/** The watches of the management cluster. */
export class ManagementInputs implements AsyncDisposable {
  readonly #options: ManagementOptions;
  readonly #watches = new Map<KindName, KindWatch>();
  readonly #known = new Map<KindName, Set<string>>();
  readonly #synced = new Set<KindName>();
  /** The newest resourceVersion seen of each kind: how far it has come. */
  readonly #versions = new Map<KindName, number>();

  constructor(options: ManagementOptions) {
    this.#options = options;
    for (const kind of [...OURS_ALONE, ...POLICIES]) this.#watch(kind);
  }

  /** Kinds that are not known in full yet. */
  get unknownKinds(): readonly KindName[] {
    return [...this.#watches.keys()].filter((kind) => !this.#synced.has(kind));
  }

  /** How far each kind has come, under names that no cluster can have. */
  versions(): ReadonlyMap<string, InputVersion> {
    return new Map([...this.#versions].map(([kind, seq]) => [`/${kind}`, { term: 0, seq }]));
  }

  /** Takes up what this process itself has just written, before the watch tells of it. */
  take(object: KubeObject): Promise<unknown> {
    return this.#commit(object.kind as KindName, [object], []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch[Symbol.asyncDispose]()));
  }

  #watch(kind: KindName): void {
    const { connection, namespace, logger } = this.#options;
    const known = new Set<string>();
    this.#known.set(kind, known);
    let upserts: KubeObject[] = [];
    let deletes: string[] = [];
    let complete = false;
    const flush = (): void => {
      const [set, gone, whole] = [upserts, deletes, complete];
      [upserts, deletes, complete] = [[], [], false];
      void this.#commit(kind, set, gone).then(
        () => {
          if (whole) this.#synced.add(kind);
          this.#options.changed();
        },
        (error: unknown) => logger.error('management input failed', { kind, error }),
      );
    };
    const sink = {
      transact: (body: () => void) => {
        body();
        flush();
      },
      replaceAll: (objects: readonly KubeObject[]) => {
        const now = new Set(objects.map((object) => idOf(object.metadata)));
        deletes = [...known].filter((id) => !now.has(id));
        upserts = [...objects];
        known.clear();
        for (const id of now) known.add(id);
      },
      upsert: (object: KubeObject) => {
        known.add(idOf(object.metadata));
        upserts.push(object);
      },
      remove: (key: ObjectKey) => {
        known.delete(idOf(key));
        deletes.push(idOf(key));
      },
      synced: () => {
        complete = true;
      },
    };
    const options = {
      ...(OURS_ALONE.includes(kind) ? { namespace } : {}),
      observer: {
        state: (state: { readonly phase: string; readonly error?: Error }) => {
          if (state.phase === 'retrying') logger.warn('management watch failed', { kind, error: state.error });
        },
      },
    };
    this.#watches.set(kind, watchKind(connection, resourceOf(kind), sink, options));
  }

  #commit(kind: KindName, upserts: readonly KubeObject[], deletes: readonly string[]): Promise<unknown> {
    const { fleet, logger } = this.#options;
    const objects = upserts.flatMap((raw) => {
      const decoded = decodeObject(raw, { unknownFields: 'prune' });
      if (decoded.object !== undefined) return [decoded.object];
      logger.warn('management object cannot be read', {
        kind,
        name: raw.metadata.name,
        namespace: raw.metadata.namespace,
        problems: decoded.problems.map(({ message }) => message),
      });
      return [];
    });
    return fleet.write((transaction, world) => {
      for (const id of deletes)
        deleteObject(transaction, world, MANAGEMENT_CLUSTER, { ...nameOf(id), group: resourceOf(kind).group, kind });
      for (const object of objects) setObject(transaction, world, MANAGEMENT_CLUSTER, object);
      const newest = Math.max(
        this.#versions.get(kind) ?? 0,
        ...upserts.map(({ metadata }) => Number(metadata.resourceVersion ?? 0)),
      );
      this.#versions.set(kind, newest);
    });
  }
}

function idOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function nameOf(id: string): { readonly namespace: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
