/** Whether a Service behind a virtual destination can be reached from a mesh, now, and where. */
import type { Read } from '../../graph/collection.ts';
import { type Key, key } from '../../graph/key.ts';
import type { EndpointView, MeshFacts } from '../../plugin/views/mod.ts';
import type { Reached } from '../endpoints.ts';
import type { Joined } from '../joined.ts';
import { consumerKey } from './consumers.ts';
import type { VirtualMember } from './member.ts';

type Reach = Pick<Joined, 'endpoints' | 'federation' | 'virtualDestinations'>;

/** In its own cluster always; from elsewhere where its mesh knows it by the name too, and there is a way. */
export function isReachable(
  member: VirtualMember,
  virtualDestination: Key,
  from: MeshFacts,
  read: Read,
  joined: Reach,
): boolean {
  if (member.cluster === from.cluster) return true;
  const there = read.get(joined.virtualDestinations.consumers.all, consumerKey(virtualDestination, member.home));
  if (there === undefined || there.refusal !== undefined) return false;
  return joined.endpoints.endpointMultiplicity(read, reached(member, from, read, joined)) !== undefined;
}

/** The ways to it from another cluster. */
export function endpointsOf(
  member: VirtualMember,
  from: MeshFacts,
  read: Read,
  joined: Reach,
): readonly EndpointView[] {
  return joined.endpoints.of(read, reached(member, from, read, joined));
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
