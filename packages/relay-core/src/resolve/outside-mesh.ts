/** Why a destination is out of every mesh's reach. */
import type { Report } from '@meshrelay/api';
import type { KnownDestination } from './destinations.ts';

/** What policies that select the destination are told. */
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
