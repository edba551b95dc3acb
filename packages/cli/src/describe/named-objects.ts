/** The names by which users name discovered objects. */
import type { Destination, Mesh, Workload } from '@meshrelay/api';
import type { Named } from './find.ts';

export function namedMesh(mesh: Mesh): Named<Mesh> {
  return { names: [mesh.metadata.name], thing: mesh };
}

export function namedWorkload(workload: Workload): Named<Workload> {
  return withPlace(workload, workload.spec.kubernetes.controller);
}

/** Also by its host names. */
export function namedDestination(destination: Destination): Named<Destination> {
  const { spec, status } = destination;
  const hosts = [status?.localFqdn, status?.appliedFederation?.federatedHostname].filter((host) => host !== undefined);
  return withPlace(destination, spec.kubeService.ref, hosts);
}

function withPlace<T extends { readonly metadata: { readonly name: string } }>(
  thing: T,
  { clusterName, namespace, name }: { readonly clusterName: string; readonly namespace: string; readonly name: string },
  more: readonly string[] = [],
): Named<T> {
  return {
    names: [thing.metadata.name, `${clusterName}/${namespace}/${name}`, `${namespace}/${name}`, name, ...more],
    thing,
  };
}
