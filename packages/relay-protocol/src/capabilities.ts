/**
 * Capabilities of one end of the relay in addition to the first edition of the protocol. Versions are never compared.
 */

/**
 * - `resume`: a reconnecting agent sends digests instead of lists.
 * - `oversized`: a delta reports objects that exist and cannot be sent.
 * - `lag`: heartbeats of a sender report how far the receiver is behind.
 * - `move`: a server announces that a connection must be reopened.
 * - `invoke`: the server may call the agent over the Invoke stream.
 * - `logs`: the agent serves the access logs and the traffic of its cluster; named on the Invoke stream.
 */
export type Capability = 'resume' | 'oversized' | 'lag' | 'move' | 'invoke' | 'logs';

/** All capabilities. */
export const CAPABILITIES: readonly Capability[] = ['resume', 'oversized', 'lag', 'move', 'invoke', 'logs'];

/** Capabilities that need nothing from a host: the defaults of a machine. */
export const MACHINE_CAPABILITIES: readonly Capability[] = ['resume', 'oversized', 'lag'];

/** The capabilities that both ends named, in order. Capabilities that only one end knows are ignored. */
export function agreedCapabilities(local: readonly string[], remote: readonly string[]): string[] {
  const named = new Set(remote);
  return local.filter((capability) => named.has(capability)).sort();
}
