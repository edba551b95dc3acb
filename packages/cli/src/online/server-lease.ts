/** Whether a server is at work: all else in the management cluster is what it wrote, and tells of the past where none is. */
import type { KubeConnection } from '@meshrelay/kube';
import { SERVER_LEASE } from '@meshrelay/relay-core';
import { LEASE } from './kinds.ts';

/** Where the server is, and when somebody looks. */
export interface ServerPlace {
  readonly namespace: string;
  readonly now: Date;
}

/** What is wrong with it. */
export interface ServerProblem {
  readonly message: string;
  /** Until when one was at work, RFC 3339; undefined where none ever was, or that is not known. */
  readonly until: string | undefined;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/** Undefined while one is. @throws KubeError */
export async function serverProblem(
  management: KubeConnection,
  { namespace, now }: ServerPlace,
): Promise<ServerProblem | undefined> {
  const lease = await management.objects(LEASE).read({ namespace, name: SERVER_LEASE });
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = (lease?.spec ?? {}) as LeaseSpec;
  if (lease === undefined)
    return {
      message: `there is no Lease ${namespace}/${SERVER_LEASE}: no server has ever led in this namespace`,
      until: undefined,
    };
  if (holderIdentity === '')
    return { message: `nobody holds the Lease ${namespace}/${SERVER_LEASE}`, until: renewTime };
  const ends = Date.parse(renewTime ?? '') + leaseDurationSeconds * 1000;
  if (ends >= now.getTime()) return undefined;
  return {
    message: `${holderIdentity} has not renewed the Lease ${namespace}/${SERVER_LEASE} since ${renewTime}`,
    until: renewTime,
  };
}

/** How it is said that something is not known, since it is the server that would tell. */
export function notKnown({ until }: ServerProblem): string {
  return `not known: no management server is at work${until === undefined ? '' : `, and what is here is as it was ${until}`}`;
}
