/** The report on a destination in no mesh. */
import type { Report } from '@meshrelay/api';
import { hasNoPods, type KnownDestination } from './known-destination.ts';

/**
 * The report to policies that select the destination, or would federate it.
 * @param canShift whether a traffic shift of the policy could send its requests to other Services
 */
export function notInMesh(
  destination: KnownDestination,
  { canShift = false }: { readonly canShift?: boolean } = {},
): Report {
  const { serviceType } = destination;
  const where = serviceText(destination);
  if (hasNoPods(destination)) {
    const others = canShift
      ? 'select Services that have them, or shift its requests to Services that are in a mesh of its cluster or federated to one'
      : 'or select Services that have them';
    const message = `${where} has no pods, so no proxy can apply the policy; add pods with a sidecar, ${others}`;
    return { code: 'NOT_IN_A_MESH', severity: 'warning', message };
  }
  return serviceType === 'EXTERNAL_NAME'
    ? {
        code: 'EXTERNAL_NAME',
        severity: 'warning',
        message: `${where} is an alias of another host (ExternalName), which no mesh can manage; select the Service behind it`,
      }
    : {
        code: 'NOT_IN_A_MESH',
        severity: 'warning',
        message: `${where} has no workload in a mesh, so no proxy can apply the policy; add sidecars to its pods or do not select it`,
      };
}

/** The Service, as messages name it. */
export function serviceText({ name, namespace, cluster }: KnownDestination): string {
  return `Service ${namespace}/${name} of cluster ${cluster}`;
}
