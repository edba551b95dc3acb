/** Problems of this replica, as its Lease lists them. */
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { readinessChecks } from '../health.ts';

export interface ReplicaFacts {
  readonly readiness: Parameters<typeof readinessChecks>[0];
  /** Since when Redis is unreachable; undefined while it is reachable, or the store is in memory. */
  readonly staleSince: Date | undefined;
  readonly plugins: readonly LoadedPlugin[];
}

/** One clause for each problem; empty without problems. */
export function replicaProblems({ readiness, staleSince, plugins }: ReplicaFacts): string[] {
  const stale =
    staleSince === undefined
      ? []
      : [
          `Redis is unreachable since ${staleSince.toISOString()}, so this replica gets no changes of clusters whose agents are connected to other replicas`,
        ];
  const unready = Object.values(readinessChecks(readiness)).flatMap((check) => {
    const answer = check();
    return typeof answer === 'string' ? [answer] : [];
  });
  return [...stale, ...unready, ...quarantined(plugins)];
}

/** A clause for each plugin whose functions this process does not call. */
export function quarantined(plugins: readonly LoadedPlugin[]): string[] {
  return plugins.flatMap(({ plugin, quarantined: reason }) =>
    reason === undefined ? [] : `the plugin ${plugin.name} is quarantined: ${reason}`,
  );
}
