/** Whether a server is at work: all else in the management cluster is what it wrote, and tells of the past where none is. */
import type { KubeConnection } from '@meshrelay/kube';
import { SERVER_LEASE } from '@meshrelay/relay-core';
import { readLease } from './lease.ts';

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

/** Undefined while one is. @throws KubeError */
export async function serverProblem(
  management: KubeConnection,
  { namespace, now }: ServerPlace,
): Promise<ServerProblem | undefined> {
  const lease = await readLease(management, { namespace, name: SERVER_LEASE }, now);
  if (lease === undefined)
    return {
      message: `there is no Lease ${namespace}/${SERVER_LEASE}: no server has ever led in this namespace`,
      until: undefined,
    };
  const { holder, renewTime, isHeld } = lease;
  if (isHeld) return undefined;
  const message =
    holder === undefined
      ? `nobody holds the Lease ${namespace}/${SERVER_LEASE}`
      : `${holder} has not renewed the Lease ${namespace}/${SERVER_LEASE} since ${renewTime}`;
  return { message, until: renewTime };
}

/** How it is said that something is not known, since it is the server that would tell. */
export function notKnown({ until }: ServerProblem): string {
  return `not known: no management server is at work${until === undefined ? '' : `, and what is here is as it was ${until}`}`;
}
