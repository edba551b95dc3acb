/** Whether a host name is free for a virtual destination in a mesh. */
import type { PolicyRef, Report } from '@meshrelay/api';
import { type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Federation } from '../federation/mod.ts';
import type { Destinations, KnownDestination } from '../inventory/mod.ts';
import type { VirtualPlan } from './plan.ts';

const FIELD = 'spec.hostname';
const SVC = '.svc.';

/** The Service of the mesh's own cluster that has the name, if any. */
export function ownService(
  hostname: string,
  { cluster, clusterDomain }: MeshFacts,
  read: Read,
  { known }: Destinations,
): KnownDestination | undefined {
  const service = serviceIn(hostname);
  if (service === undefined || service.rest !== clusterDomain) return undefined;
  return read.get(known, key(cluster, service.namespace, service.name));
}

/** The destination that is federated to other meshes under the name, if any. */
export function federatedAs(hostname: string, read: Read, { exported }: Federation): PolicyRef | undefined {
  const service = serviceIn(hostname);
  if (service === undefined) return undefined;
  const labels = service.rest.split('.');
  for (let end = 1; end < labels.length; end += 1) {
    const cluster = labels.slice(0, end).join('.');
    const found = read.get(exported, key(cluster, service.namespace, service.name));
    if (found?.hostname === hostname) return found.ref;
  }
  return undefined;
}

/** `<name>.<namespace>.svc.<rest>`, as Services and federated destinations are named. */
function serviceIn(
  hostname: string,
): { readonly name: string; readonly namespace: string; readonly rest: string } | undefined {
  const at = hostname.indexOf(SVC);
  const [name = '', namespace = '', ...more] = hostname.slice(0, Math.max(at, 0)).split('.');
  if (at < 0 || name === '' || namespace === '' || more.length > 0) return undefined;
  return { name, namespace, rest: hostname.slice(at + SVC.length) };
}

/** Another virtual destination has the name in this mesh. */
export function takenBy(hostname: string, winner: PolicyRef, mesh: MeshFacts): Report {
  const who = `VirtualDestination ${winner.namespace}/${winner.name}${winner.cluster === '' ? '' : ` of cluster ${winner.cluster}`}`;
  return conflict(
    `${who} was accepted earlier and has ${hostname} in cluster ${mesh.cluster}; choose another name`,
    winner,
  );
}

/** The name belongs to a destination of another cluster. */
export function federatedName(hostname: string, virtualMesh: PolicyRef): Report {
  return conflict(
    `VirtualMesh ${virtualMesh.namespace}/${virtualMesh.name} federates a Service as ${hostname}; choose another name`,
    virtualMesh,
  );
}

/** The name belongs to a Service that is not a backend of the virtual destination. */
export function serviceName(hostname: string, { namespace, name, cluster }: KnownDestination): Report {
  return conflict(
    `${hostname} is the name of Service ${namespace}/${name} of cluster ${cluster}, which is not a backend, or which this policy may not use; select that Service, too, or choose another name`,
    { kind: 'Destination', name, namespace, cluster },
  );
}

/** The name is a gateway hostname, which callers must not see. */
export function gatewayHostnameFor(suffix: string): Report {
  return conflict(`names that end in ${suffix} are reserved for gateways of virtual destinations; choose another name`);
}

function conflict(message: string, related?: PolicyRef): Report {
  return {
    code: 'CONFLICT',
    severity: 'error',
    field: FIELD,
    message,
    ...(related === undefined ? {} : { related: [related] }),
  };
}

/** Whether the Service is a backend of the virtual destination. */
export function backendOf({ members }: VirtualPlan, service: Key): boolean {
  return members.some(({ destination }) => destination === service);
}
