/** Whether a Service behind a virtual destination can be reached from a mesh, now, and where. */
import type { Read } from '../../graph/collection.ts';
import { type Key, key } from '../../graph/key.ts';
import type { EndpointView, MeshFacts } from '../../plugin/views/mod.ts';
import type { Reached } from '../endpoints.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { consumerKey } from './consumers.ts';
import type { VirtualMember } from './member.ts';

type Reach = Pick<ResolveContext, 'endpoints' | 'federation' | 'virtualDestinations'>;

/** In its own cluster always; from elsewhere where its mesh knows it by the name too, and there is a way. */
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

/** The ways to it from another cluster. */
export function endpointsOf(
  member: VirtualMember,
  from: MeshFacts,
  read: Read,
  resolveContext: Reach,
): readonly EndpointView[] {
  return resolveContext.endpoints.of(read, reached(member, from, read, resolveContext));
}

/** Through gateways, but where the very Service is made known to the mesh over a flat network. */
function reached(
  { destination, home }: VirtualMember,
  { key: consumer }: MeshFacts,
  read: Read,
  { federation }: Reach,
): Reached {
  const direct = read.get(federation.federated, key(destination, consumer))?.direct ?? false;
  return { destination, home, consumer, direct };
}
