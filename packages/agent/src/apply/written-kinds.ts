/** Which kinds of output are taken at all, and in which order. */
import {
  kindKey,
  kindsReported,
  type LoadedPlugin,
  OBJECT_PATCH,
  OBJECT_STATUS,
  type ResourceKind,
} from '@meshrelay/relay-core';
import { kindId, type ObjectKind } from '@meshrelay/relay-protocol';
import { isForbiddenOutput } from './forbidden-outputs.ts';

/** The kinds that plugins write, as far as any may: nothing else is ever applied or deleted, whatever the server asks. */
export class WrittenKinds {
  /** In the order in which objects are applied; they are deleted in the opposite one. */
  readonly all: readonly ResourceKind[];
  /** Kinds of which the server is told: those, and what plugins read of the user's. */
  readonly reported: readonly ResourceKind[];
  /** All that are written, patches of the user's own objects where a plugin has any, and statuses of the policies here. */
  readonly taken: readonly ResourceKind[];
  readonly #byId: ReadonlyMap<string, { readonly kind: ResourceKind; readonly rank: number }>;

  constructor(plugins: readonly LoadedPlugin[]) {
    const writes = plugins.flatMap(({ plugin }) => plugin.writes).filter((kind) => !isForbiddenOutput(kind));
    this.all = [...new Map(writes.map((kind) => [kindKey(kind), kind])).values()];
    const reported = plugins.flatMap(({ plugin }) => kindsReported(plugin));
    this.reported = [...new Map(reported.map((kind) => [kindKey(kind), kind])).values()];
    const patches = plugins.some(({ plugin }) => (plugin.patches ?? []).length > 0);
    this.taken = [...this.all, ...(patches ? [OBJECT_PATCH] : []), OBJECT_STATUS];
    this.#byId = new Map(this.taken.map((kind, rank) => [kindId(kind), { kind, rank }]));
  }

  /** The kind as a resource of the API server; undefined when such outputs are not taken. */
  find(kind: ObjectKind): ResourceKind | undefined {
    return this.#byId.get(kindId(kind))?.kind;
  }

  /** Where the kind stands in the order. */
  rank(kind: ObjectKind): number {
    return this.#byId.get(kindId(kind))?.rank ?? this.all.length;
  }
}
