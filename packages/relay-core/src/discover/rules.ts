/** Discovery by the rules of a plugin, for meshes that need no collections of their own. */
import {
  type ControlPlaneRule,
  DEPLOYMENT,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryBuilder,
  type Key,
  key,
  type MemberRule,
  POD,
  type Pod,
  type Read,
} from '@meshrelay/plugin';

const ALL = key('all');

export interface DiscoveryRules {
  /** The name of the plugin. */
  readonly name: string;
  readonly controlPlane: ControlPlaneRule;
  readonly member: MemberRule;
}

/** Defines meshes, and their members among pods and among templates. */
export function discoverByRules(
  { graph, objects, templates, meshes, members, templateMembers }: DiscoveryBuilder,
  { name, controlPlane, member }: DiscoveryRules,
): void {
  const found = graph.deriveMany(
    `${name}/control-planes`,
    objects(controlPlane.kind ?? DEPLOYMENT),
    (object): ReadonlyArray<readonly [Key, DiscoveredMesh]> => {
      if (!controlPlane.match(object)) return [];
      const mesh = controlPlane.mesh(object);
      return [[key(mesh.namespace, mesh.name), mesh]];
    },
  );
  const all = graph.index(found, `${name}/all control planes`, () => [ALL]);
  const memberOf = (pod: Pod, read: Read): DiscoveredMember | undefined => {
    if (!member.match(pod)) return undefined;
    const own = member.meshOf?.(pod);
    const mesh: DiscoveredMember['mesh'] | undefined = own ?? read.first(all, ALL, 1)[0]?.[1];
    if (mesh === undefined || !read.has(found, key(mesh.namespace, mesh.name))) return undefined;
    const { ownLabels } = member;
    return { mesh: { name: mesh.name, namespace: mesh.namespace }, ...(ownLabels === undefined ? {} : { ownLabels }) };
  };
  meshes(found);
  members(graph.derive(`${name}/pods`, objects<Pod>(POD), memberOf));
  templateMembers(graph.derive(`${name}/templates`, templates, ({ pod }, read) => memberOf(pod, read)));
}
