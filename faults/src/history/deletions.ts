/** I3: an output, or a discovered object, is deleted only if the row has removed its source. */

import type { Entitlement } from './entitlement.ts';
import { AGENT_USER, isOutput, nameOf, SERVER_USER, type Write } from './history.ts';

const DISCOVERED = 'discovery.meshrelay.dev';

/** Deletions by agents and servers that the row does not permit. */
export function unprovenDeletions(writes: readonly Write[], { deletion }: Entitlement): string[] {
  return writes
    .filter((write) => write.type === 'DELETED' && isManaged(write) && !deletion(write))
    .map((write) => `${write.actor?.user} deleted ${nameOf(write)}`);
}

function isManaged(write: Write): boolean {
  const { actor, group } = write;
  if (actor === undefined) return false;
  return AGENT_USER.test(actor.user) ? isOutput(write) : SERVER_USER.test(actor.user) && group === DISCOVERED;
}
