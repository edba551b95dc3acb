/** The rollout status of a Deployment. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { type Condition, stampConditions, timestamp } from './conditions.ts';

/** The status of a Deployment from its ReplicaSets. */
export function deploymentStatus(
  store: ControllerStore,
  deployment: KubeObject,
  current: KubeObject | undefined,
  old: readonly KubeObject[],
): KubeObject['status'] {
  const all = current === undefined ? old : [current, ...old];
  const count = (field: string, sets: readonly KubeObject[] = all): number =>
    sets.reduce((sum, set) => sum + (set['status']?.[field] ?? 0), 0);
  const desired = deployment['spec'].replicas ?? 1;
  const available = count('availableReplicas');
  const updated = current === undefined ? 0 : count('replicas', [current]);
  const numbers = {
    replicas: count('replicas'),
    updatedReplicas: updated,
    readyReplicas: count('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, desired - available),
  };
  const complete = updated === desired && available >= desired && numbers.replicas === desired;
  const conditions = [availability(available, desired), progress(current, complete)];
  const before: readonly Condition[] | undefined = deployment['status']?.conditions;
  const now = timestamp(store);
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0)),
    conditions: stampConditions(before, conditions, now).map((condition) => {
      const known = before?.find(({ type, reason }) => type === condition.type && reason === condition.reason);
      return { ...condition, lastUpdateTime: known?.lastUpdateTime ?? now };
    }),
  };
}

function availability(available: number, desired: number): Condition {
  return available >= desired
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

function progress(current: KubeObject | undefined, complete: boolean): Condition {
  const name = current?.metadata.name ?? '';
  return complete
    ? {
        type: 'Progressing',
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${name}" has successfully progressed.`,
      }
    : {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: `ReplicaSet "${name}" is progressing.`,
      };
}
