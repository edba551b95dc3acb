/** What an end of the relay can do beyond the first edition of its document. Versions are never compared. */

/**
 * - `resume`: an agent that comes back tells digests instead of lists.
 * - `withheld`: a delta tells of objects that exist and cannot be sent.
 * - `lag`: heartbeats of a sender tell how far the receiver is behind.
 * - `move`: a server says beforehand that a connection is to be made anew.
 * - `invoke`: the server may ask the agent over the Invoke stream.
 * - `logs`: the agent answers for the access logs and the traffic of its cluster; named on the Invoke stream.
 */
export type Capability = 'resume' | 'withheld' | 'lag' | 'move' | 'invoke' | 'logs';

/** All there are. */
export const CAPABILITIES: readonly Capability[] = ['resume', 'withheld', 'lag', 'move', 'invoke', 'logs'];

/** Those that need nothing of a host: what a machine names unless it is told otherwise. */
export const MACHINE_CAPABILITIES: readonly Capability[] = ['resume', 'withheld', 'lag'];

/** What both ends named, in order. What only one of them knows is nobody's concern. */
export function agreedCapabilities(local: readonly string[], remote: readonly string[]): string[] {
  const named = new Set(remote);
  return local.filter((capability) => named.has(capability)).sort();
}
