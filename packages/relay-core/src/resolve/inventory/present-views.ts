/** User-owned objects, as views show them. */
import type { JsonObject } from '@meshrelay/api';
import {
  type Collection,
  groupOf,
  type Index,
  type Key,
  key,
  kindKey,
  type MeshPlugin,
  type PresentView,
} from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { isManaged } from '../../input/managed-labels.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { kindsReported } from '../../plugin/reported-kinds.ts';
import type { PresentObject } from '../../store/fleet-state.ts';

type ReportingPlugin = Pick<MeshPlugin<never>, 'name' | 'inboundRules' | 'concernsMesh'>;

/**
 * User-owned objects of kinds that plugins observe, in the buckets `key(plugin, cluster, ...)`.
 * @param bucketsOf the suffixes of an object's keys for a plugin; none if the object is irrelevant to it
 */
export function indexPresent(
  graph: Graph,
  present: Collection<PresentObject>,
  plugins: readonly LoadedPlugin[],
  {
    name,
    bucketsOf,
  }: {
    readonly name: string;
    bucketsOf(plugin: ReportingPlugin, object: PresentObject['object']['value']): ReadonlyArray<readonly string[]>;
  },
): Index<PresentObject> {
  return graph.index(present, name, ({ cluster, object: { value: object } }): Key[] => {
    if (isManaged(object)) return [];
    const id = kindKey({ group: groupOf(object.apiVersion), kind: object.kind });
    return plugins
      .filter(({ plugin }) => kindsReported(plugin).some((kind) => kindKey(kind) === id))
      .flatMap(({ plugin }) => bucketsOf(plugin, object).map((ends) => key(plugin.name, cluster, ...ends)));
  });
}

export function presentView({ object: { value } }: PresentObject): PresentView {
  const { kind, metadata, spec } = value;
  const { creationTimestamp } = metadata;
  return {
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    ...(typeof creationTimestamp === 'string' ? { created: creationTimestamp } : {}),
    spec: (spec ?? {}) as JsonObject,
  };
}
