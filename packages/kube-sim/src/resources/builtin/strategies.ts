/** Special behaviour of writes of the built-in kinds. */
import { Buffer } from 'node:buffer';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { JsonObject, KubeObject } from '../../object.ts';
import { equalJson } from '../../schema/json-values.ts';
import type { ResourceStrategy } from '../definition.ts';
import { defaultPodSpec } from './pod-strategy.ts';

/** Kinds without special behaviour. */
export const plain: ResourceStrategy = { tracksGeneration: false };

/** Kinds that only number their desired state. */
export const counted: ResourceStrategy = { tracksGeneration: true };

/** RBAC kinds: names with colons, and a PUT creates. */
export const rbac: ResourceStrategy = { tracksGeneration: false, nameRule: 'path', createsOnUpdate: true };

/** Kinds that a DELETE returns. */
export const returned: ResourceStrategy = { tracksGeneration: false, returnsDeleted: true };

/** Kinds a PUT creates. */
export const creatable: ResourceStrategy = { tracksGeneration: false, createsOnUpdate: true };

/** Leases: every update must name its base version. */
export const lease: ResourceStrategy = {
  tracksGeneration: false,
  createsOnUpdate: true,
  requiresResourceVersion: true,
  zero: { spec: {} },
};

const TEMPLATE: JsonObject = { metadata: {}, spec: { containers: [] } };

/** Kinds whose desired state controllers act on. */
const workload: ResourceStrategy = {
  tracksGeneration: true,
  default: (draft) => defaultPodSpec(draft['spec']?.template?.spec),
  validate: validateWorkload,
};

/** Deployments. */
export const deployment: ResourceStrategy = {
  ...workload,
  zero: { spec: { strategy: {}, template: TEMPLATE }, status: {} },
  initialStatus: {},
};

/** ReplicaSets. */
export const replicaSet: ResourceStrategy = {
  ...workload,
  zero: { spec: { template: TEMPLATE }, status: {} },
  initialStatus: { replicas: 0 },
};

/** StatefulSets. */
export const statefulSet: ResourceStrategy = {
  ...workload,
  zero: { spec: { updateStrategy: {}, template: TEMPLATE }, status: {} },
  initialStatus: { replicas: 0, availableReplicas: 0 },
  default(draft) {
    workload.default?.(draft);
    const retain = { whenDeleted: 'Retain', whenScaled: 'Retain' };
    if (draft['spec'] !== undefined) draft['spec'].persistentVolumeClaimRetentionPolicy ??= retain;
  },
};

/** DaemonSets. */
export const daemonSet: ResourceStrategy = {
  ...workload,
  zero: { spec: { updateStrategy: {}, template: TEMPLATE }, status: {} },
  initialStatus: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
};

/** Nodes. */
export const node: ResourceStrategy = { tracksGeneration: false, zero: { spec: {}, status: {} } };

/** Role bindings: the API group of users and groups is that of RBAC. */
export const binding: ResourceStrategy = {
  tracksGeneration: false,
  nameRule: 'path',
  createsOnUpdate: true,
  default(draft) {
    const subjects: { kind?: string; apiGroup?: string }[] = draft['subjects'] ?? [];
    for (const subject of subjects)
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= 'rbac.authorization.k8s.io';
  },
};

/** Jobs and CronJobs. */
export const job: ResourceStrategy = {
  tracksGeneration: true,
  default: (draft) => defaultPodSpec((draft['spec']?.jobTemplate?.spec ?? draft['spec'])?.template?.spec),
};

/** Namespaces stay until their content is deleted. */
export const namespace: ResourceStrategy = {
  tracksGeneration: false,
  nameRule: 'label',
  zero: { spec: {}, status: {} },
  default(draft) {
    draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': draft.metadata.name };
  },
  prepareCreate(draft) {
    draft['spec'] = { finalizers: ['kubernetes'] };
    draft['status'] = { phase: 'Active' };
  },
  holdsDeletion: (object) => (object['spec']?.finalizers?.length ?? 0) > 0,
  markDeleted(draft) {
    draft['status'] = { ...draft['status'], phase: 'Terminating' };
  },
};

/** Secrets: plain text in `stringData` is stored as data. */
export const secret: ResourceStrategy = {
  tracksGeneration: false,
  default(draft) {
    const plainText: Record<string, string> = draft['stringData'] ?? {};
    delete draft['stringData'];
    const encoded = Object.entries(plainText).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    if (encoded.length > 0) draft['data'] = { ...draft['data'], ...Object.fromEntries(encoded) };
  },
  validate: (secret, live) => immutableErrors(secret, live, ['type']),
};

/** Immutable ConfigMaps cannot be changed. */
export const configMap: ResourceStrategy = {
  tracksGeneration: false,
  validate: (map, live) => immutableErrors(map, live, []),
};

function immutableErrors(object: KubeObject, live: KubeObject | undefined, always: readonly string[]): FieldError[] {
  if (live === undefined) return [];
  const errors = always
    .filter((field) => object[field] !== live[field])
    .map((field) => invalid(field, object[field], 'field is immutable'));
  if (live['immutable'] !== true) return errors;
  const changed = ['data', 'binaryData'].filter((field) => !equalJson(object[field], live[field]));
  const frozen: FieldError[] = changed.map((field) => ({
    field,
    reason: 'FieldValueForbidden',
    detail: 'Forbidden: field is immutable when `immutable` is set',
  }));
  return [...errors, ...frozen];
}

function validateWorkload(object: KubeObject, live: KubeObject | undefined): FieldError[] {
  const { selector, template } = object['spec'] ?? {};
  const errors: FieldError[] = [];
  const labels: Record<string, string> = template?.metadata?.labels ?? {};
  const requested = Object.entries((selector?.matchLabels ?? {}) as Record<string, string>);
  if (requested.some(([key, value]) => labels[key] !== value))
    errors.push(invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  if (live !== undefined && !equalJson(selector, live['spec']?.selector))
    errors.push(invalid('spec.selector', selector ?? null, 'field is immutable'));
  return errors;
}
