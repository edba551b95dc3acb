/** Columns of workload kinds. */
import type { Json, KubeObject } from '../../object.ts';
import { formatLabelSelector } from '../../selectors/label-selector.ts';
import { humanDuration } from '../age.ts';
import type { PrinterColumn } from '../column.ts';
import { AGE, column, labelText, orNone, wide } from './column-builders.ts';

interface Container {
  readonly name: string;
  readonly image?: string;
}

function templateContainers(object: KubeObject): readonly Container[] {
  return (object['spec']?.template ?? object['spec']?.jobTemplate?.spec?.template)?.spec?.containers ?? [];
}

const CONTAINERS = wide('Containers', (object) =>
  templateContainers(object)
    .map((each) => each.name)
    .join(','),
);
const IMAGES = wide('Images', (object) =>
  templateContainers(object)
    .map((each) => each.image ?? '')
    .join(','),
);
const SELECTOR = wide('Selector', (object) => orNone(formatLabelSelector(object['spec']?.selector ?? {})));

function count(path: (object: KubeObject) => number | undefined): (object: KubeObject) => Json {
  return (object) => path(object) ?? 0;
}

const READY_OF_DESIRED = column(
  'Ready',
  (object) => `${object['status']?.readyReplicas ?? 0}/${object['spec']?.replicas ?? 1}`,
);

/** Columns of Deployments. */
export const deploymentColumns: readonly PrinterColumn[] = [
  READY_OF_DESIRED,
  column('Up-to-date', (object) => String(object['status']?.updatedReplicas ?? 0)),
  column('Available', (object) => String(object['status']?.availableReplicas ?? 0)),
  AGE,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** Columns of ReplicaSets. */
export const replicaSetColumns: readonly PrinterColumn[] = [
  column(
    'Desired',
    count((object) => object['spec']?.replicas),
    'integer',
  ),
  column(
    'Current',
    count((object) => object['status']?.replicas),
    'integer',
  ),
  column(
    'Ready',
    count((object) => object['status']?.readyReplicas),
    'integer',
  ),
  AGE,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** Columns of StatefulSets. */
export const statefulSetColumns: readonly PrinterColumn[] = [READY_OF_DESIRED, AGE, CONTAINERS, IMAGES];

/** Columns of DaemonSets. */
export const daemonSetColumns: readonly PrinterColumn[] = [
  column(
    'Desired',
    count((object) => object['status']?.desiredNumberScheduled),
    'integer',
  ),
  column(
    'Current',
    count((object) => object['status']?.currentNumberScheduled),
    'integer',
  ),
  column(
    'Ready',
    count((object) => object['status']?.numberReady),
    'integer',
  ),
  column(
    'Up-to-date',
    count((object) => object['status']?.updatedNumberScheduled),
    'integer',
  ),
  column(
    'Available',
    count((object) => object['status']?.numberAvailable),
    'integer',
  ),
  column('Node Selector', (object) => labelText(object['spec']?.template?.spec?.nodeSelector)),
  AGE,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

function jobStatus(job: KubeObject): string {
  const conditions: readonly { readonly type: string; readonly status: string }[] = job['status']?.conditions ?? [];
  const holds = (type: string): boolean => conditions.some((each) => each.type === type && each.status === 'True');
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return holds('Suspended') ? 'Suspended' : 'Running';
}

function jobDuration(job: KubeObject, now: number): string {
  const start = Date.parse(job['status']?.startTime ?? '');
  if (Number.isNaN(start)) return '';
  const end = Date.parse(job['status']?.completionTime ?? '');
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}

/** Columns of Jobs. */
export const jobColumns: readonly PrinterColumn[] = [
  column('Status', jobStatus),
  column('Completions', (job) => `${job['status']?.succeeded ?? 0}/${job['spec']?.completions ?? 1}`),
  column('Duration', jobDuration),
  AGE,
  CONTAINERS,
  IMAGES,
  SELECTOR,
];

/** Columns of CronJobs. */
export const cronJobColumns: readonly PrinterColumn[] = [
  column('Schedule', (job) => job['spec']?.schedule ?? ''),
  column('Timezone', (job) => orNone(job['spec']?.timeZone)),
  column('Suspend', (job) => (job['spec']?.suspend === true ? 'True' : 'False')),
  column('Active', (job) => job['status']?.active?.length ?? 0, 'integer'),
  column('Last Schedule', (job, now) =>
    job['status']?.lastScheduleTime ? humanDuration(now - Date.parse(job['status'].lastScheduleTime)) : '<none>',
  ),
  AGE,
  CONTAINERS,
  IMAGES,
];
