/** The status of a pod that waits for a node, and of a running one. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { type Condition, stampConditions, timestamp } from './conditions.ts';

/** The node of a pod. */
export interface PodAddresses {
  readonly hostIP: string;
  readonly podIP: string;
}

/** The status of a pod without a suitable node. */
export function pendingStatus(store: ControllerStore, pod: KubeObject): KubeObject['status'] {
  const unscheduled: Condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: 'no node matches the pod: add a node, or change its nodeSelector or nodeName',
  };
  const conditions = stampConditions(pod['status']?.conditions, [unscheduled], timestamp(store));
  return { phase: 'Pending', qosClass: qosClass(pod), conditions };
}

/** The status of a pod with completed init containers and ready containers. */
export function runningStatus(
  store: ControllerStore,
  pod: KubeObject,
  { hostIP, podIP }: PodAddresses,
): KubeObject['status'] {
  const before = pod['status'] ?? {};
  const now = timestamp(store);
  const startTime: string = before.startTime ?? now;
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  const conditions = types.map((type): Condition => ({ type, status: 'True' }));
  const init = containersOf(pod, 'initContainers').map((container) => finished(container, startTime));
  return {
    phase: 'Running',
    qosClass: qosClass(pod),
    startTime,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: stampConditions(before.conditions, conditions, now),
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: containersOf(pod, 'containers').map((container) => running(container, before, now)),
  };
}

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly resources?: { readonly limits?: object; readonly requests?: object };
}

function containersOf(pod: KubeObject, field: 'containers' | 'initContainers'): readonly Container[] {
  return pod['spec']?.[field] ?? [];
}

/** A container with another image was restarted. */
function running({ name, image = '' }: Container, before: KubeObject['status'], now: string): KubeObject['status'] {
  const known = before?.containerStatuses?.find((each: Container) => each.name === name && each.image === image);
  const startedAt: string = known?.state?.running?.startedAt ?? now;
  return {
    name,
    image,
    imageID: '',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt } },
    lastState: {},
  };
}

function finished({ name, image = '' }: Container, at: string): KubeObject['status'] {
  const terminated = { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at };
  return {
    name,
    image,
    imageID: '',
    ready: true,
    started: false,
    restartCount: 0,
    state: { terminated },
    lastState: {},
  };
}

/** Guaranteed if every container limits its requests, BestEffort if none has resources. */
function qosClass(pod: KubeObject): string {
  const resources = containersOf(pod, 'containers').map((container) => container.resources ?? {});
  if (resources.every(({ limits = {}, requests = {} }) => Object.keys({ ...limits, ...requests }).length === 0))
    return 'BestEffort';
  const bounded = resources.every(({ limits = {}, requests = limits }) => {
    const [max, least] = [limits as Record<string, unknown>, requests as Record<string, unknown>];
    return ['cpu', 'memory'].every((name) => max[name] !== undefined && max[name] === (least[name] ?? max[name]));
  });
  return bounded ? 'Guaranteed' : 'Burstable';
}
