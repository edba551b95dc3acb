/** A virtual destination before its addresses are known: which meshes can use it, and its backends. */
import type { PolicyRef, Report, VirtualDestinationSpec } from '@meshrelay/api';
import type { Collection, Group, Key, Read } from '@meshrelay/plugin';
import { backendsOf } from '../../fields/virtual-destination/mod.ts';
import { hostnameSuffixOf } from '../../fields/virtual-mesh/federation.ts';
import type { Graph } from '../../graph/collection.ts';
import type { Hasher } from '../../input/canonical.ts';
import type { MeshGateways } from '../gateways/mod.ts';
import type { Destinations } from '../inventory/mod.ts';
import type { VirtualMeshes } from '../virtual-meshes/mod.ts';
import type { PolicyScope } from '../workspaces/mod.ts';
import { memberOf, type VirtualMember, type VirtualProblem } from './member.ts';
import { hasRemoteCallers, inScope, type Scope, scopeOf } from './scope.ts';
import type { CheckedVirtualDestination } from './selected.ts';

export interface VirtualPlan {
  readonly key: Key;
  readonly ref: PolicyRef;
  readonly authority: PolicyScope;
  readonly sequence: number;
  readonly spec: VirtualDestinationSpec;
  /** The meshes whose workloads can use it. */
  readonly scope: Scope;
  /** Highest priority first, at most one of a cluster. */
  readonly members: readonly VirtualMember[];
  /**
   * The hostname under which gateways admit requests. Gateways must forward these only to the pods of their own
   * cluster, while callers of that cluster fail over to other clusters. Clusters may have virtual destinations of the
   * same name; a hash distinguishes them.
   */
  readonly gatewayHostname: string;
  /** The suffix of all such hostnames. */
  readonly gatewayHostnames: string;
  readonly problems: readonly VirtualProblem[];
}

/** The suffix of gateway hostnames: no federated name has that label at that place. */
export function gatewayHostnamesUnder(suffix: string): string {
  return `vd.${suffix}`;
}

/** Plans under the keys of the policies. */
export function virtualPlans(
  graph: Graph,
  all: Collection<CheckedVirtualDestination>,
  selected: Collection<Group<Key>>,
  resolveContext: {
    readonly destinations: Destinations;
    readonly virtualMeshes: VirtualMeshes;
    readonly gateways: Collection<MeshGateways>;
  },
  hash: Hasher,
): Collection<VirtualPlan> {
  return graph.derive('resolve/virtual-plans', all, (policy, read, policyKey): VirtualPlan => {
    const { virtualMeshes } = resolveContext;
    const scope = scopeOf(policy, virtualMeshes, read);
    const virtualMesh =
      scope.virtualMesh === undefined ? undefined : read.get(virtualMeshes.all, scope.virtualMesh)?.object;
    const { ref, authority, sequence, object } = policy;
    const { spec } = object;
    const gatewayHostnames = gatewayHostnamesUnder(hostnameSuffixOf(virtualMesh?.spec.federation));
    return {
      key: policyKey,
      ref,
      authority,
      sequence,
      spec,
      scope,
      ...membersOf(read.get(selected, policyKey) ?? [], policy, scope, read, resolveContext),
      gatewayHostname: gatewayHostnameOf(ref, gatewayHostnames, hash(policyKey)),
      gatewayHostnames,
    };
  });
}

/** The maximum lengths of the readable part and of each of its labels: the DNS limits without the prefix and suffix. */
const LONGEST = { whole: 150, part: 63 } as const;

function gatewayHostnameOf({ cluster, namespace, name }: PolicyRef, gatewayHostnames: string, hash: string): string {
  const readable = `${name}.${namespace}`;
  const fits = readable.length <= LONGEST.whole && readable.split('.').every((part) => part.length <= LONGEST.part);
  if (cluster === '' && fits) return `${readable}.${gatewayHostnames}`;
  return `${fits ? `${readable}.` : ''}${hash.slice(0, 10)}.own.${gatewayHostnames}`;
}

function membersOf(
  selected: Group<Key>,
  policy: CheckedVirtualDestination,
  scope: Scope,
  read: Read,
  { destinations, gateways, virtualMeshes }: Parameters<typeof virtualPlans>[3],
): Pick<VirtualPlan, 'members' | 'problems'> {
  const { spec } = policy.object;
  // Until the virtual mesh is known, no Service counts as outside it; the reports of the scope name the missing
  // reference.
  if (scope.virtualMesh === undefined) return { members: [], problems: [] };
  const candidates = selected.flatMap((service) => {
    const destination = read.get(destinations.known, service);
    return destination === undefined ? [] : [{ destination, priority: backendsOf(spec).priorityOf(destination) }];
  });
  const found = candidates
    .sort((a, b) => a.priority - b.priority || (a.destination.key < b.destination.key ? -1 : 1))
    .map(({ destination, priority }) =>
      memberOf(destination, priority, spec, {
        inScope: (mesh) =>
          read.get(virtualMeshes.memberships, mesh)?.virtualMesh === scope.virtualMesh && inScope(scope, policy, mesh),
        hasRemoteCallers: (cluster) => hasRemoteCallers(scope, policy, cluster, virtualMeshes, read),
        isGateway: ({ key, mesh }) => mesh !== undefined && isGateway(read.get(gateways, mesh.key), key),
      }),
    );
  const { retained, left } = oneOfEachCluster(found.flatMap(({ member }) => member ?? []));
  return { members: retained, problems: [...found.flatMap(({ problem }) => problem ?? []), ...left] };
}

function isGateway(gateways: MeshGateways | undefined, destination: Key): boolean {
  return gateways?.destinations.includes(destination) === true;
}

/**
 * A cluster's gateways map the name to one set of pods, so the first backend counts. Of the others, the first of each
 * cluster gets the report for all.
 */
function oneOfEachCluster(members: readonly VirtualMember[]): {
  readonly retained: readonly VirtualMember[];
  readonly left: readonly VirtualProblem[];
} {
  const retained = new Map<string, VirtualMember>();
  const left = new Map<string, VirtualProblem>();
  for (const member of members) {
    const { cluster, destination } = member;
    if (!retained.has(cluster)) retained.set(cluster, member);
    else if (!left.has(cluster)) {
      const count = members.filter((other) => other.cluster === cluster).length;
      const message = `${count} Services of cluster ${cluster} are selected, and each cluster can have only one backend; select one (until then, the first by preference, namespace and name is used)`;
      const report: Report = { code: 'ONE_PER_CLUSTER', severity: 'error', field: 'spec', message };
      left.set(cluster, { target: { kind: 'Destination', key: destination }, state: 'INVALID', report });
    }
  }
  return { retained: [...retained.values()], left: [...left.values()] };
}
