/** Destinations out of every mesh's reach: policies have no effect there, and say so. */
import type { Report } from '@meshrelay/api';
import type { TellOf } from './destination-verdicts.ts';
import type { KnownDestination } from './destinations.ts';
import type { Policies } from './policies.ts';
import type { Verdict } from './verdict.ts';

/** Tells every policy on a destination that is in no mesh. */
export function outsideMeshNotes({ trafficPolicies, accessPolicies }: Policies): TellOf {
  return (destination, read) => {
    if (destination.mesh !== undefined) return [];
    const selecting = [
      ...(read.get(trafficPolicies, destination.key) ?? []),
      ...(read.get(accessPolicies, destination.key) ?? []),
    ];
    const reports = [outsideMesh(destination)];
    const target = { kind: 'Destination', key: destination.key } as const;
    return selecting.map(({ ref }): Verdict => ({ policy: ref, target, state: 'DEGRADED', reports, moot: true }));
  };
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
