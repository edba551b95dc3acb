/** Why nothing is sent to a cluster, even if its agent is connected. Conditions and `explain` use the same text. */
import { type Settings, shortList } from '@meshrelay/api';
import { key, SETTINGS_KEY } from '@meshrelay/relay-core';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { SafeMode } from '../output/safe-mode.ts';
import type { Fleet } from '../store/fleet.ts';

/** Reason and message, as in conditions. */
export interface NotSent {
  readonly reason: 'SafeMode' | 'Suspended' | 'Paused' | 'Deregistering';
  readonly message: string;
}

export interface NotSentSources {
  readonly fleet: Pick<Fleet, 'fleetState'>;
  readonly outputs: Pick<ClusterOutputs, 'begun'>;
  readonly safeMode: () => SafeMode;
}

/** Maximum number of listed missing inputs. */
const MAX_MISSING = 10;

/** Undefined if outputs are sent. */
export function notSentTo(
  cluster: string,
  { fleet: { fleetState }, outputs, safeMode }: NotSentSources,
): NotSent | undefined {
  const facts = fleetState.clusters.get(key(cluster));
  if (facts === undefined) return undefined;
  if (facts.draining === true)
    return {
      reason: 'Deregistering',
      message: `cluster ${cluster} is being deregistered, so all generated objects are deleted`,
    };
  if (facts.suspended)
    return {
      reason: 'Suspended',
      message: `cluster ${cluster} is suspended (spec.suspended of its KubernetesCluster), so nothing is sent to it`,
    };
  if (!outputs.begun) return { reason: 'SafeMode', message: safeModeText(safeMode()) };
  if (facts.paused === true)
    return {
      reason: 'Paused',
      message: `the outputs of cluster ${cluster} are paused (spec.paused of its KubernetesCluster), so no changes are sent to it`,
    };
  if (isPaused(fleetState.settings.get(SETTINGS_KEY)))
    return {
      reason: 'Paused',
      message: 'the outputs of all clusters are paused (spec.paused of Settings), so no changes are sent',
    };
  return undefined;
}

export function safeModeText({ unsyncedKinds, unsyncedClusters }: SafeMode): string {
  const missing = shortList([...unsyncedKinds, ...unsyncedClusters.map((name) => `cluster ${name}`)], MAX_MISSING);
  return `outputs are not sent to any cluster until all inputs are synced again; missing: ${missing}`;
}

function isPaused(settings: Settings | undefined): boolean {
  return settings?.spec.paused === true;
}
