/** What the management cluster tells: clusters, policies, settings and the ledger, watched into the world. */
import { type KindName, type KubeObject, policyKinds } from '@meshrelay/api';
import type { KubeConnection, ObjectKey } from '@meshrelay/kube';
import type { InputVersion } from '@meshrelay/relay-protocol';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import { componentOf, KindInput, type LiveObject } from './kind-input.ts';

/** Kinds of which only the objects of the management namespace count, and without one of which nothing is certain. */
const MANAGED_ONLY: readonly KindName[] = ['KubernetesCluster', 'Settings', 'Ledger'];

export interface ManagementOptions {
  readonly connection: KubeConnection;
  readonly fleet: Fleet;
  readonly namespace: string;
  readonly tracer: Tracer;
  readonly logger: Logger;
  /** Told of each object as the API server has it, when it is seen. */
  readonly seen?: (kind: KindName, key: ObjectKey, live: LiveObject) => void;
  /** Called after what was seen in one tick is in the graph, and when a kind becomes unknown. */
  readonly changed: () => void;
}

/** The watches of the management cluster. */
export class ManagementInputs implements AsyncDisposable {
  readonly #kinds: ReadonlyMap<string, KindInput>;
  readonly #registry = Promise.withResolvers<void>();
  #registryWasKnown = false;

  constructor({ namespace, changed, ...rest }: ManagementOptions) {
    const options = {
      ...rest,
      changed: () => {
        if (this.registryWasKnown) this.#registry.resolve();
        changed();
      },
    };
    this.#kinds = new Map(
      [...MANAGED_ONLY, ...policyKinds].map((kind) => {
        const indispensable = MANAGED_ONLY.includes(kind);
        return [kind, new KindInput({ ...options, kind, indispensable, ...(indispensable ? { namespace } : {}) })];
      }),
    );
  }

  /** Kinds that are not known in full, each with the reason. */
  get unknownKinds(): ReadonlyMap<string, string> {
    const reasons = [...this.#kinds].map(([kind, { unknown }]) => [kind, unknown] as const);
    return new Map(reasons.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
  }

  /** Whether all registered clusters are known. */
  get registryKnown(): boolean {
    return this.#kinds.get('KubernetesCluster')?.unknown === undefined;
  }

  /** Whether all registered clusters were known once: from then on whoever is not among those that are known counts as not registered. */
  get registryWasKnown(): boolean {
    this.#registryWasKnown ||= this.registryKnown;
    return this.#registryWasKnown;
  }

  /** Resolves when the registered clusters are known for the first time. */
  get registry(): Promise<void> {
    return this.#registry.promise;
  }

  /** Objects that cannot be read. */
  get unreadable(): number {
    return [...this.#kinds.values()].reduce((sum, { unreadable }) => sum + unreadable, 0);
  }

  /** How far each kind has come, under names that no cluster can have. */
  versions(): ReadonlyMap<string, InputVersion> {
    return new Map([...this.#kinds].map(([kind, { version }]) => [componentOf(kind), version]));
  }

  /** What each kind's objects come to, under the same names; a kind of which that cannot be told is left out. */
  digests(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#kinds].flatMap(([kind, { digest }]) => (digest === undefined ? [] : [[componentOf(kind), digest]])),
    );
  }

  /** What is known of an object at the API server: for comparing statuses. */
  live(kind: string, key: ObjectKey): LiveObject | undefined {
    return this.#kinds.get(kind)?.live(key);
  }

  /** All Settings objects of the management namespace, of which one counts, and what changes with them. */
  get settings(): Pick<KindInput, 'objects' | 'version'> {
    const settings = this.#kinds.get('Settings');
    if (settings === undefined) throw new Error('Settings are watched from the start');
    return settings;
  }

  /** Takes up what this process itself has just written, before the watch tells of it. */
  async take(object: KubeObject): Promise<void> {
    await this.#kinds.get(object.kind)?.take(object);
  }

  /**
   * Looks again at the kinds among `components` (names as in `versions`) of which an agent knows a newer state.
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
