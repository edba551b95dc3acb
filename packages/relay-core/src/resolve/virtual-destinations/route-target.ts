/** A virtual destination as a route target. */

import type { ObjectRef } from '@meshrelay/api';
import type { Key, MeshFacts, Read } from '@meshrelay/plugin';
import { virtualDestinationKey } from '../policies/mod.ts';
import { consumerKey } from './consumers.ts';
import { isHttp } from './member.ts';
import type { VirtualDestinations } from './virtual-destinations.ts';

/** As a consumer names it. */
export interface VirtualRouteTarget {
  /** The key of the policy. */
  readonly key: Key;
  readonly hostname: string;
  readonly port: number;
  /** Whether a mesh can see requests on the port. */
  readonly http: boolean;
}

/** Undefined if the consumer cannot use it, or it has no backends. */
export function virtualRouteTarget(
  ref: ObjectRef,
  consumer: MeshFacts,
  read: Read,
  { plans, consumers }: VirtualDestinations,
): VirtualRouteTarget | undefined {
  const id = virtualDestinationKey(ref);
  const plan = read.get(plans, id);
  const there = read.get(consumers.all, consumerKey(id, consumer.key));
  if (plan === undefined || there === undefined || there.rejection !== undefined || plan.members.length === 0)
    return undefined;
  return { key: id, hostname: there.hostname, port: plan.spec.port.number, http: isHttp(plan.spec) };
}
