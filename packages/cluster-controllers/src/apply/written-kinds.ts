/** Kinds of output that the agent accepts, and their order. */
import {
  isForbiddenKind,
  kindKey,
  kindsReported,
  type LoadedPlugin,
  OBJECT_PATCH,
  OBJECT_STATUS,
  type ResourceKind,
} from '@meshrelay/relay-core';
import { kindId, type ObjectKind } from '@meshrelay/relay-protocol';

/**
 * Kinds that plugins write, minus the forbidden ones. The agent never applies or deletes any other kind, whatever the
 * server requests.
 */
export class WrittenKinds {
  /** In the order in which objects are applied; deletion uses the reverse order. */
  readonly all: readonly ResourceKind[];
  /** Kinds that the agent reports to the server: the written ones, and those that plugins read of the user's. */
  readonly reported: readonly ResourceKind[];
  /**
   * All accepted kinds: the written ones, patches of user objects if a plugin has any, and policy statuses in this
   * cluster.
   */
  readonly taken: readonly ResourceKind[];
  readonly #byId: ReadonlyMap<string, { readonly kind: ResourceKind; readonly rank: number }>;

  constructor(plugins: readonly LoadedPlugin[]) {
    const writes = plugins.flatMap(({ plugin }) => plugin.writes).filter((kind) => !isForbiddenKind(kind));
    this.all = [...new Map(writes.map((kind) => [kindKey(kind), kind])).values()];
    const reported = plugins.flatMap(({ plugin }) => kindsReported(plugin));
    this.reported = [...new Map(reported.map((kind) => [kindKey(kind), kind])).values()];
    const patches = plugins.some(({ plugin }) => (plugin.patches ?? []).length > 0);
    this.taken = [...this.all, ...(patches ? [OBJECT_PATCH] : []), OBJECT_STATUS];
    this.#byId = new Map(this.taken.map((kind, rank) => [kindId(kind), { kind, rank }]));
  }

  /** The kind as a resource of the API server; undefined if the agent does not accept such outputs. */
  find(kind: ObjectKind): ResourceKind | undefined {
    return this.#byId.get(kindId(kind))?.kind;
  }

  /** Position of the kind in the order. */
  rank(kind: ObjectKind): number {
    return this.#byId.get(kindId(kind))?.rank ?? this.all.length;
  }
}
