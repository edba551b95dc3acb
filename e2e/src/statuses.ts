/** Statuses of the management cluster's policies. */
import type { KubeObject, Report } from '@meshrelay/api';
import { type ComputedStatus, type ControlPlane, policyKey, valuesInOrder } from '@meshrelay/relay-core';

/** Whether it has an effect on some target: neither an error nor another policy prevents it there. */
export function isApplied(status: ComputedStatus | undefined): boolean {
  return status?.targets.some(({ state }) => state === 'ACCEPTED' || state === 'DEGRADED') ?? false;
}

/** By the names of the policies; without those that have no status yet. */
export function statusesOf(
  { statuses }: Pick<ControlPlane, 'statuses'>,
  policies: readonly KubeObject[],
): ReadonlyMap<string, ComputedStatus> {
  return new Map(
    policies.flatMap(({ kind, metadata: { name, namespace = '' } }) => {
      const status = statuses.get(policyKey({ kind, cluster: '', namespace, name }))?.status;
      return status === undefined ? [] : [[name, status] as const];
    }),
  );
}

/** Reports in the status of Settings on callers that connect as it specifies. */
export function settingsNotesOf({ resolved }: Pick<ControlPlane, 'resolved'>): readonly Report[] {
  return valuesInOrder(resolved.settingsNotes).flat();
}
