/** Whether, and at which endpoints, a mesh can currently reach a backend Service of a virtual destination. */
import { type EndpointView, type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Endpoints, Federation, Reached } from '../federation/mod.ts';
import { consumerKey } from './consumers.ts';
import type { VirtualMember } from './member.ts';
import type { VirtualDestinations } from './virtual-destinations.ts';

interface Reach {
  readonly endpoints: Endpoints;
  readonly federation: Federation;
  readonly virtualDestinations: VirtualDestinations;
}

/** Always in its own cluster. From another cluster if its mesh also has the name, and there is a path. */
export function isReachable(
  member: VirtualMember,
  virtualDestination: Key,
  from: MeshFacts,
  read: Read,
  resolveContext: Reach,
): boolean {
  if (member.cluster === from.cluster) return true;
  const there = read.get(
    resolveContext.virtualDestinations.consumers.all,
    consumerKey(virtualDestination, member.home),
  );
  if (there === undefined || there.rejection !== undefined) return false;
  return resolveContext.endpoints.endpointMultiplicity(read, reached(member, from, read, resolveContext)) !== undefined;
}

/** Its endpoints for a caller in another cluster. */
export function endpointsOf(
  member: VirtualMember,
  from: MeshFacts,
  read: Read,
  resolveContext: Reach,
): readonly EndpointView[] {
  return resolveContext.endpoints.of(read, reached(member, from, read, resolveContext));
}

/** Through gateways, unless the Service itself is federated to the mesh over a flat network. */
function reached(
  { destination, home }: VirtualMember,
  { key: consumer }: MeshFacts,
  read: Read,
  { federation }: Reach,
): Reached {
  const direct = read.get(federation.federated, key(destination, consumer))?.direct ?? false;
  return { destination, home, consumer, direct };
}
