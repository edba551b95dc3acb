/** How a cluster is deregistered. */

/**
 * - `drain`: the agent first removes all Meshrelay objects from the cluster.
 * - `orphan`: the objects in the cluster stay.
 * - `force`: as orphan, for a cluster that will not come back, without waiting.
 */
export type DeregisterMode = 'drain' | 'orphan' | 'force';
