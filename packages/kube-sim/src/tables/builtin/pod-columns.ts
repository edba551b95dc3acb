/** Columns of Pods and Events. */
import type { Json, KubeObject } from '../../object.ts';
import { age, humanDuration } from '../age.ts';
import type { PrinterColumn } from '../column.ts';
import { AGE, column, orNone, wide } from './column-builders.ts';

interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly exitCode?: number;
    readonly signal?: number;
    readonly finishedAt?: string;
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface PodCondition {
  readonly type: string;
  readonly status: string;
}

function statuses(pod: KubeObject, which = 'containerStatuses'): readonly ContainerStatus[] {
  return pod['status']?.[which] ?? [];
}

function conditionIs(pod: KubeObject, type: string): boolean {
  const conditions: readonly PodCondition[] = pod['status']?.conditions ?? [];
  return conditions.some((each) => each.type === type && each.status === 'True');
}

/** Init containers that keep running next to the others. */
function sidecarNames(pod: KubeObject): ReadonlySet<string> {
  const containers: readonly { readonly name: string; readonly restartPolicy?: string }[] =
    pod['spec']?.initContainers ?? [];
  return new Set(containers.filter((each) => each.restartPolicy === 'Always').map((each) => each.name));
}

function ready(pod: KubeObject): string {
  const sidecars = sidecarNames(pod);
  const total = (pod['spec']?.containers?.length ?? 0) + sidecars.size;
  const own = statuses(pod).filter((each) => each.ready === true && each.state?.running !== undefined);
  const beside = statuses(pod, 'initContainerStatuses').filter(
    (each) => sidecars.has(each.name) && each.ready === true,
  );
  return `${own.length + beside.length}/${total}`;
}

function status(pod: KubeObject): string {
  if (pod.metadata.deletionTimestamp !== undefined)
    return pod['status']?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const phase = orNone(pod['status']?.reason, pod['status']?.phase ?? '');
  const fromInit = initReason(pod);
  if (fromInit !== undefined) return fromInit;
  const reasons = statuses(pod)
    .map((each) => reasonOf(each.state))
    .filter((each) => each !== undefined);
  const reason = reasons[0];
  const running = statuses(pod).some((each) => each.ready === true && each.state?.running !== undefined);
  if (reason === 'Completed' && running) return conditionIs(pod, 'Ready') ? 'Running' : 'NotReady';
  return reason ?? phase;
}

function reasonOf(state: ContainerState | undefined): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  const terminated = state?.terminated;
  if (terminated === undefined) return undefined;
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

function initReason(pod: KubeObject): string | undefined {
  const init = statuses(pod, 'initContainerStatuses');
  const sidecars = sidecarNames(pod);
  const index = init.findIndex(
    (each) => !(each.state?.terminated?.exitCode === 0 || (sidecars.has(each.name) && each.started === true)),
  );
  const container = init[index];
  if (container === undefined || conditionIs(pod, 'Initialized')) return undefined;
  const reason = reasonOf(container.state);
  if (reason !== undefined && reason !== 'PodInitializing') return `Init:${reason}`;
  return `Init:${index}/${pod['spec']?.initContainers?.length ?? init.length}`;
}

function restarts(pod: KubeObject, now: number): string {
  const all = [
    ...statuses(pod),
    ...statuses(pod, 'initContainerStatuses').filter((each) => sidecarNames(pod).has(each.name)),
  ];
  const count = all.reduce((sum, each) => sum + (each.restartCount ?? 0), 0);
  const last = all
    .map((each) => Date.parse(each.lastState?.terminated?.finishedAt ?? ''))
    .filter((each) => !Number.isNaN(each))
    .sort((a, b) => b - a)[0];
  return count > 0 && last !== undefined ? `${count} (${humanDuration(now - last)} ago)` : String(count);
}

function gates(pod: KubeObject): Json {
  const list: readonly { readonly conditionType: string }[] = pod['spec']?.readinessGates ?? [];
  if (list.length === 0) return '<none>';
  return `${list.filter((each) => conditionIs(pod, each.conditionType)).length}/${list.length}`;
}

/** Columns of Pods. */
export const podColumns: readonly PrinterColumn[] = [
  column('Ready', ready),
  column('Status', status),
  column('Restarts', restarts),
  AGE,
  wide('IP', (pod) => orNone(pod['status']?.podIP)),
  wide('Node', (pod) => orNone(pod['spec']?.nodeName)),
  wide('Nominated Node', (pod) => orNone(pod['status']?.nominatedNodeName)),
  wide('Readiness Gates', gates),
];

/** Columns of Events. */
export const eventColumns: readonly PrinterColumn[] = [
  column('Last Seen', (event, now) =>
    age(event['lastTimestamp'] ?? event['eventTime'] ?? event['firstTimestamp'], now),
  ),
  column('Type', (event) => event['type'] ?? ''),
  column('Reason', (event) => event['reason'] ?? ''),
  column('Object', (event) => {
    const { kind = '', name = '' } = event['involvedObject'] ?? {};
    return `${String(kind).toLowerCase()}/${name}`;
  }),
  wide('Subobject', (event) => event['involvedObject']?.fieldPath ?? ''),
  wide('Source', (event) => orNone(event['source']?.component, event['reportingComponent'] ?? '')),
  column('Message', (event) => String(event['message'] ?? '').trim()),
  wide('First Seen', (event, now) => age(event['firstTimestamp'] ?? event['eventTime'], now)),
  wide('Count', (event) => String(event['count'] ?? 1)),
  wide('Name', (event) => event.metadata.name),
];
