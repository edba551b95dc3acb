/** The status of a pod, as a kubelet writes it. */
import type { Condition, Pod } from './pod.ts';

export interface ContainerState {
  readonly name: string;
  readonly image: string;
  readonly started: boolean;
  readonly ready: boolean;
  readonly restarts: number;
  readonly startedAt: string;
}

export interface PodAddresses {
  readonly pod: string;
  readonly node: string;
}

/** Conditions of others stay, and those that have not changed have their old time. */
export function podStatus(
  { status = {} }: Pod,
  addresses: PodAddresses,
  containers: readonly ContainerState[],
  now: string,
): object {
  const ready = containers.every((container) => container.ready);
  const before = status.conditions ?? [];
  const conditions = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'].map(
    (type, index): Condition => {
      const value = index < 2 || ready ? 'True' : 'False';
      const old = before.find((condition) => condition.type === type);
      return old?.status === value ? old : { type, status: value, lastTransitionTime: now };
    },
  );
  const own = new Set(conditions.map(({ type }) => type));
  return {
    phase: 'Running',
    hostIP: addresses.node,
    podIP: addresses.pod,
    podIPs: [{ ip: addresses.pod }],
    startTime: status.startTime ?? now,
    conditions: [...before.filter(({ type }) => !own.has(type)), ...conditions],
    containerStatuses: containers.map(({ name, image, started, ready: isReady, restarts, startedAt }) => ({
      name,
      image,
      imageID: image,
      containerID: `process://${name}`,
      started,
      ready: isReady,
      restartCount: restarts,
      state: { running: { startedAt } },
    })),
  };
}
