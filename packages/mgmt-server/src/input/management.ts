/** Inputs of the management cluster: clusters, policies, settings and the ledger, watched into the fleet state. */
import { type KindName, type KubeObject, policyKinds } from '@meshrelay/api';
import type { KubeConnection, ObjectKey } from '@meshrelay/kube';
import type { InputVersion } from '@meshrelay/relay-protocol';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import { componentOf, KindInput, type LiveObject } from './kind-input.ts';

/** Kinds of which only objects in the management namespace count. All of them must be synced. */
const MANAGED_ONLY: readonly KindName[] = ['KubernetesCluster', 'Settings', 'Ledger'];

export interface ManagementOptions {
  readonly connection: KubeConnection;
  readonly fleet: Fleet;
  readonly namespace: string;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

export interface ManagementListener {
  /** Receives each object of the API server when the watch delivers it. */
  seen(kind: KindName, key: ObjectKey, live: LiveObject): void;
  /** Called after the changes of one tick are in the graph, and when a kind becomes unsynced. */
  changed(): void;
}

export class ManagementInputs implements AsyncDisposable {
  readonly #kinds: ReadonlyMap<string, KindInput>;
  readonly #registry = Promise.withResolvers<void>();
  readonly #listeners = new Set<ManagementListener>();
  #registryWasKnown = false;

  constructor({ namespace, ...rest }: ManagementOptions) {
    const options = {
      ...rest,
      seen: (kind: KindName, where: ObjectKey, live: LiveObject): void => {
        for (const listener of this.#listeners) listener.seen(kind, where, live);
      },
      changed: () => {
        if (this.registryWasKnown) this.#registry.resolve();
        for (const listener of this.#listeners) listener.changed();
      },
    };
    this.#kinds = new Map(
      [...MANAGED_ONLY, ...policyKinds].map((kind) => {
        const indispensable = MANAGED_ONLY.includes(kind);
        return [kind, new KindInput({ ...options, kind, indispensable, ...(indispensable ? { namespace } : {}) })];
      }),
    );
  }

  listen(listener: ManagementListener): void {
    this.#listeners.add(listener);
  }

  /** Kinds that are not synced, each with the reason. */
  get unsyncedKinds(): ReadonlyMap<string, string> {
    const reasons = [...this.#kinds].map(([kind, { unknown }]) => [kind, unknown] as const);
    return new Map(reasons.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
  }

  /** Whether the registered clusters are synced. */
  get registryKnown(): boolean {
    return this.#kinds.get('KubernetesCluster')?.unknown === undefined;
  }

  /**
   * Whether the registered clusters were synced once. From then on a cluster that is not in the list counts as not
   * registered.
   */
  get registryWasKnown(): boolean {
    this.#registryWasKnown ||= this.registryKnown;
    return this.#registryWasKnown;
  }

  /** Resolves when the registered clusters are synced for the first time. */
  get registry(): Promise<void> {
    return this.#registry.promise;
  }

  /** Objects that cannot be read. */
  get unreadable(): number {
    return [...this.#kinds.values()].reduce((sum, { unreadable }) => sum + unreadable, 0);
  }

  /** Version of each kind, under names that are not valid cluster names. */
  versions(): ReadonlyMap<string, InputVersion> {
    return new Map([...this.#kinds].map(([kind, { version }]) => [componentOf(kind), version]));
  }

  /** Content digest of each kind, under the same names; a kind without a known digest is omitted. */
  digests(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#kinds].flatMap(([kind, { digest }]) => (digest === undefined ? [] : [[componentOf(kind), digest]])),
    );
  }

  /** The API server's state of an object: for comparing statuses. */
  live(kind: string, key: ObjectKey): LiveObject | undefined {
    return this.#kinds.get(kind)?.live(key);
  }

  /** All Settings objects of the management namespace, of which one counts, and the version that changes with them. */
  get settings(): Pick<KindInput, 'objects' | 'version'> {
    const settings = this.#kinds.get('Settings');
    if (settings === undefined) throw new Error('Settings are watched from the start');
    return settings;
  }

  /** Ingests an object that this process has just written, before the watch delivers it. */
  async take(object: KubeObject): Promise<void> {
    await this.#kinds.get(object.kind)?.take(object);
  }

  /**
   * Lists the kinds among `components` (names as in `versions`) again, because an agent has a newer state.
   * @param now monotonic milliseconds
   */
  async refresh(components: readonly string[], now: number): Promise<void> {
    const behind = [...this.#kinds.values()].filter(({ kind }) => components.includes(componentOf(kind)));
    await Promise.all(behind.map((kind) => kind.refresh(now)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#kinds.values()].map((kind) => kind[Symbol.asyncDispose]()));
  }
}
