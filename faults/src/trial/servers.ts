/** State that servers report about themselves and their connected agents. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';

/** Reason that a server reports for holding its outputs. */
export interface SafeMode {
  readonly active: boolean;
  readonly unsyncedClusters: readonly string[];
}

/**
 * The server with a cluster's agent by its own state, not by another server's announcement; undefined if none has it.
 */
export async function serverOf(fleet: FaultFleet, cluster: string): Promise<Replica | undefined> {
  for (const server of fleet.servers.filter(({ running }) => running)) {
    const items = await fleet.api(server).list<ClusterItem>('clusters');
    if (items.some(({ name, connected, replica }) => name === cluster && connected && replica === undefined))
      return server;
  }
  return undefined;
}

/** Reports of each running server. */
export async function safeModes(fleet: FaultFleet): Promise<readonly SafeMode[]> {
  return await Promise.all(
    fleet.apis().map(async ({ url }) => ((await (await fetch(url)).json()) as { safeMode: SafeMode }).safeMode),
  );
}

/** Kills every server. */
export async function killServers({ servers }: FaultFleet): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
}

/** Starts every server and waits until they respond. */
export async function startServers(fleet: FaultFleet, signal: AbortSignal): Promise<void> {
  for (const server of fleet.servers) server.start();
  await fleet.started(signal);
}
