/** Pods, and the defaults of every pod template. */
import type { KubeObject } from '../../object.ts';
import { copyJson } from '../../schema/json-values.ts';
import type { ResourceStrategy } from '../definition.ts';

interface Container {
  image?: string;
  imagePullPolicy?: string;
  resources?: Resources;
}

interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  serviceAccountName?: string;
  serviceAccount?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  priority?: number;
  tolerations?: object[];
}

/** Pods of deleted nodes are kept for five minutes by default. Seconds. */
const TOLERATED = 300;
const UNREACHABLE = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: TOLERATED,
}));

/** New pods are pending; a delete returns the pod. */
export const pod: ResourceStrategy = {
  tracksGeneration: true,
  returnsDeleted: true,
  zero: { spec: { containers: [] }, status: {} },
  default(draft) {
    const spec: PodSpec | undefined = draft['spec'];
    if (spec === undefined) return;
    defaultPodSpec(spec);
    spec.enableServiceLinks ??= true;
    for (const container of containersOf(spec)) defaultRequests(container);
  },
  prepareCreate(draft) {
    admit(draft);
    draft['status'] = { phase: 'Pending', qosClass: qosClass(draft) };
  },
};

/** An image without a tag, or tagged latest, is always pulled. */
export function defaultPodSpec(spec: PodSpec | undefined): void {
  for (const container of containersOf(spec)) {
    const tag = /:([^/:@]+)$/.exec((container.image ?? '').split('@')[0] ?? '')?.[1];
    const isPinned = container.image?.includes('@') === true || (tag !== undefined && tag !== 'latest');
    container.imagePullPolicy ??= isPinned ? 'IfNotPresent' : 'Always';
  }
}

function containersOf(spec: PodSpec | undefined): Container[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
}

/** Requests default to limits. */
function defaultRequests({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** Fields that the admission plugins of every cluster add. */
function admit(draft: KubeObject): void {
  const spec: PodSpec = draft['spec'];
  spec.serviceAccountName ??= spec.serviceAccount ?? 'default';
  spec.serviceAccount = spec.serviceAccountName;
  spec.preemptionPolicy ??= 'PreemptLowerPriority';
  spec.priority ??= 0;
  spec.tolerations = [...(spec.tolerations ?? []), ...copyJson(UNREACHABLE)];
}

function qosClass(draft: KubeObject): string {
  const spec: PodSpec = draft['spec'];
  const all = containersOf(spec).map((each) => each.resources ?? {});
  if (all.every(({ requests = {}, limits = {} }) => Object.keys({ ...requests, ...limits }).length === 0))
    return 'BestEffort';
  const guaranteed = all.every(({ requests, limits = {} }) =>
    ['cpu', 'memory'].every(
      (name) => limits[name] !== undefined && (requests?.[name] ?? limits[name]) === limits[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
