/**
 * Whether a server is running: all other objects in the management cluster come from it, and are outdated without one.
 */
import type { KubeConnection } from '@meshrelay/kube';
import { SERVER_LEASE } from '@meshrelay/relay-core';
import { readLease } from './lease.ts';

/** The server's location, and the current time. */
export interface ServerPlace {
  readonly namespace: string;
  readonly now: Date;
}

/** A problem of the server. */
export interface ServerProblem {
  readonly message: string;
  /** The time until which a server was running, RFC 3339; undefined if none ever was, or if it is unknown. */
  readonly until: string | undefined;
}

/**
 * Undefined while a server is running.
 * @throws KubeError
 */
export async function serverProblem(
  management: KubeConnection,
  { namespace, now }: ServerPlace,
): Promise<ServerProblem | undefined> {
  const lease = await readLease(management, { namespace, name: SERVER_LEASE }, now);
  if (lease === undefined)
    return {
      message: `Lease ${namespace}/${SERVER_LEASE} does not exist: no server has ever led in this namespace`,
      until: undefined,
    };
  const { holder, renewTime, isHeld } = lease;
  if (isHeld) return undefined;
  const message =
    holder === undefined
      ? `no server holds the Lease ${namespace}/${SERVER_LEASE}`
      : `${holder} has not renewed the Lease ${namespace}/${SERVER_LEASE} since ${renewTime}`;
  return { message, until: renewTime };
}

/** Text for a state that is unknown because only the server would report it. */
export function notKnown({ until }: ServerProblem): string {
  return `unknown: no management server leads${until === undefined ? '' : `, and the state shown is of ${until}`}`;
}
