/** Destinations out of every mesh's reach: policies have no effect there, and say so. */
import type { Report } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import type { Destinations, KnownDestination } from './destinations.ts';
import type { Policies } from './policies.ts';
import { collectVerdicts, type Verdict } from './verdict.ts';

export function outsideMeshVerdicts(graph: Graph, policies: Policies, { known }: Destinations): Collection<Verdict> {
  const outside = graph.derive('resolve/outside-mesh', known, (destination, read, destinationKey) => {
    if (destination.mesh !== undefined) return undefined;
    const selecting = [
      ...(read.get(policies.trafficPolicies, destinationKey) ?? []),
      ...(read.get(policies.accessPolicies, destinationKey) ?? []),
    ];
    return selecting.length === 0 ? undefined : { destination, policies: selecting.map(({ ref }) => ref) };
  });
  return collectVerdicts(graph, 'resolve/outside-mesh-verdicts', outside, ({ destination, policies: told }) => {
    const reports = [outsideMesh(destination)];
    const target = { kind: 'Destination', key: destination.key } as const;
    return told.map((policy): Verdict => ({ policy, target, state: 'DEGRADED', reports, moot: true }));
  });
}

/** What policies that select the destination, or would federate it, are told. */
export function outsideMesh({ name, namespace, cluster, serviceType }: KnownDestination): Report {
  const where = `Service ${namespace}/${name} of cluster ${cluster}`;
  return serviceType === 'EXTERNAL_NAME'
    ? {
        code: 'EXTERNAL_NAME',
        severity: 'warning',
        message: `${where} is an alias of another host (ExternalName), which no mesh handles as its own; select the Service behind it`,
      }
    : {
        code: 'NOT_IN_A_MESH',
        severity: 'warning',
        message: `${where} has no workload in a mesh, so nothing can carry the policy there; give its pods a sidecar or do not select it`,
      };
}
