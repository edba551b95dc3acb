/** Waits for the pods of a Deployment, and says what it waits for. */
import type { KubeObject } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import { DEPLOYMENT, POD } from '@meshrelay/relay-core';
import { waitUntil } from '../online/wait-until.ts';
import { plain } from '../output/plain.ts';

export interface PodsPlan {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly deployment: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Called whenever what it waits for changes. */
  readonly waiting: (text: string) => void;
}

/** How far a Deployment is. */
export interface Rollout {
  readonly ready: number;
  readonly desired: number;
  readonly done: boolean;
  /** Why pods are not ready, one line each. */
  readonly reasons: readonly string[];
}

/**
 * @returns the number of pods
 * @throws InputError after the timeout, with what is missing
 */
export async function waitForPods(plan: PodsPlan): Promise<number> {
  const { namespace, deployment, timeout, signal, waiting } = plan;
  let last: Rollout | undefined;
  let printed = '';
  await waitUntil(
    { timeout, signal },
    async () => {
      last = await rolloutOf(plan);
      if (last.done) return true;
      const text = describeRollout(last);
      if (text !== printed) waiting(text);
      printed = text;
      return false;
    },
    () =>
      `Deployment ${namespace}/${deployment} is available: ${printed}; kubectl -n ${namespace} describe deployment,pods shows events`,
  );
  return last?.desired ?? 0;
}

export async function rolloutOf({
  connection,
  namespace,
  deployment,
}: Pick<PodsPlan, 'connection' | 'namespace' | 'deployment'>): Promise<Rollout> {
  const found = (await connection.objects(DEPLOYMENT).read({ namespace, name: deployment })) as Deployment | undefined;
  if (found === undefined)
    return { ready: 0, desired: 0, done: false, reasons: [`Deployment ${namespace}/${deployment} does not exist`] };
  const { metadata, spec, status = {} } = found;
  const desired = spec.replicas ?? 1;
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 1);
  const ready = Math.min(status.availableReplicas ?? 0, status.updatedReplicas ?? 0);
  const done = isSeen && ready >= desired && (status.replicas ?? 0) <= desired;
  return { ready, desired, done, reasons: done ? [] : await podReasons(connection, found) };
}

export function describeRollout({ ready, desired, reasons }: Rollout): string {
  return plain([`${ready} of ${desired} pods are available`, ...reasons].join('; '));
}

async function podReasons(connection: KubeConnection, { metadata, spec, status }: Deployment): Promise<string[]> {
  const { namespace = '' } = metadata;
  const labels = Object.entries(spec.selector.matchLabels ?? {});
  const all = (await connection.objects(POD).list({ namespace })) as readonly Pod[];
  const pods = all.filter((pod) => labels.every(([name, value]) => pod.metadata.labels?.[name] === value));
  const failed = (status?.conditions ?? []).filter(
    ({ type, status: is }) =>
      (type === 'ReplicaFailure' && is === 'True') || (type === 'Progressing' && is === 'False'),
  );
  return [...failed.map(({ reason, message }) => `${reason}: ${message}`), ...pods.flatMap(podReason)];
}

/** The first reason why a pod is not ready; none if it is. */
function podReason({ metadata: { name }, status = {} }: Pod): string[] {
  const conditions = status.conditions ?? [];
  if (conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')) return [];
  const unscheduled = conditions.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled !== undefined) return [`pod ${name}: ${unscheduled.reason}: ${unscheduled.message}`];
  for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const { waiting, terminated } = container.state ?? {};
    const { exitCode } = container.lastState?.terminated ?? terminated ?? {};
    const exited = exitCode === undefined ? '' : `, exit code ${exitCode}: kubectl logs ${name} -c ${container.name}`;
    if (waiting !== undefined)
      return [
        `pod ${name}: container ${container.name}: ${waiting.reason}${waiting.message === undefined ? '' : `: ${waiting.message}`}${exited}`,
      ];
  }
  return [`pod ${name}: ${status.phase ?? 'Pending'}, not ready`];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode: number };
  };
  readonly lastState?: { readonly terminated?: { readonly exitCode: number } };
}

interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}
