/**
 * The final destinations of requests: pods that a proxy knows, or those that another cluster's gateways know by server
 * name (SNI).
 */
import type { ProcessedCluster, ProcessedFleet } from './fleet.ts';
import { gatewaysOf, letIn } from './invariants.ts';
import type { EnvoyCluster, ReportedProxy } from './reported.ts';

/** Addresses of gateways, as `<address>:<port>`, with their clusters. */
export type Gateways = ReadonlyMap<string, string>;

/** The responding endpoints, level by level, the best first: `<cluster> <address>:<port>`, sorted. */
export type Answering = readonly string[][];

/** @throws Error if the proxy does not know the Envoy cluster */
export function answering(
  { clusters }: ProcessedFleet,
  caller: ProcessedCluster,
  proxy: ReportedProxy,
  name: string,
  gateways: Gateways,
): Answering {
  const one = proxy.clusters?.find((cluster) => cluster.name === name);
  if (one === undefined) throw new Error(`${caller.name} knows no ${name}`);
  const levels = new Map<number, Set<string>>();
  for (const { address, port, priority } of one.endpoints ?? []) {
    const there = clusters.find((cluster) => cluster.name === gateways.get(`${address}:${port}`));
    const level = levels.get(priority) ?? new Set();
    levels.set(priority, level);
    if (there === undefined) level.add(`${placeOf(clusters, address)} ${address}:${port}`);
    else for (const pod of behind(there, one)) level.add(`${there.name} ${pod}`);
  }
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => [...level].sort());
}

/** Each of its gateways may receive the request. */
function behind(there: ProcessedCluster, { sni }: EnvoyCluster): string[] {
  return gatewaysOf(there).flatMap((gateway) => letIn(gateway, sni).map(({ address, port }) => `${address}:${port}`));
}

/** The cluster of a pod. */
function placeOf(clusters: readonly ProcessedCluster[], address: string): string {
  return clusters.find(({ seen }) => seen.proxies.some((pod) => pod.address === address))?.name ?? 'nowhere';
}
