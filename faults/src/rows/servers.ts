/** What servers say of themselves, and of who is connected to them. */
import type { ClusterItem } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';

/** Why a server holds back, as it tells. */
export interface SafeMode {
  readonly active: boolean;
  readonly missingClusters: readonly string[];
}

/** The server that has a cluster's agent by its own knowledge, not by another's word; undefined where none has. */
export async function serverOf(fleet: FaultFleet, cluster: string): Promise<Replica | undefined> {
  for (const server of fleet.servers.filter(({ running }) => running)) {
    const items = await fleet.api(server).list<ClusterItem>('clusters');
    if (items.some(({ name, connected, replica }) => name === cluster && connected && replica === undefined))
      return server;
  }
  return undefined;
}

/** What each server that runs says. */
export async function safeModes(fleet: FaultFleet): Promise<readonly SafeMode[]> {
  return await Promise.all(
    fleet.apis().map(async ({ url }) => ((await (await fetch(url)).json()) as { safeMode: SafeMode }).safeMode),
  );
}

/** Kills every server. */
export async function killServers({ servers }: FaultFleet): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
}

/** Starts every server and waits until they answer. */
export async function startServers(fleet: FaultFleet, signal: AbortSignal): Promise<void> {
  for (const server of fleet.servers) server.start();
  await fleet.started(signal);
}
