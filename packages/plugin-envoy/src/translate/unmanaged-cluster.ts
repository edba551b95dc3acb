/**
 * Destinations of a mesh outside any virtual mesh: its Envoys get no configuration yet, and the policies get a report.
 */
import type { DestinationView, Output, PolicyRef } from '@meshrelay/plugin';
import { sourcePoliciesOf } from './source-policies.ts';

export function reportUnmanagedCluster(view: DestinationView, out: Output): void {
  const { mesh, namespace, name, cluster } = view.destination;
  const policies = new Map<string, PolicyRef>();
  for (const policy of [...sourcePoliciesOf(view), ...view.access.flatMap(({ from }) => from)])
    policies.set(JSON.stringify([policy.kind, policy.cluster, policy.namespace, policy.name]), policy);
  for (const policy of policies.values()) {
    out.report(policy, {
      code: 'NOT_A_MEMBER',
      severity: 'warning',
      field: 'spec.destinationSelector',
      message: `Mesh ${mesh.namespace}/${mesh.name} of cluster ${cluster} is in no VirtualMesh, so its Envoys get no configuration for Service ${namespace}/${name}; add the mesh to a VirtualMesh`,
    });
  }
}
