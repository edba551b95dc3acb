/** How writes of the built-in kinds differ from the plain case. */
import { Buffer } from 'node:buffer';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KubeObject } from '../../object.ts';
import { equalJson } from '../../schema/json-values.ts';
import type { ResourceStrategy } from '../definition.ts';

/** Kinds with nothing special. */
export const plain: ResourceStrategy = { tracksGeneration: false };

/** Kinds whose desired state is numbered and no more. */
export const counted: ResourceStrategy = { tracksGeneration: true };

/** RBAC kinds: names with colons, and a PUT creates. */
export const rbac: ResourceStrategy = { tracksGeneration: false, nameRule: 'path', createsOnUpdate: true };

/** Kinds that a DELETE gives back. */
export const returned: ResourceStrategy = { tracksGeneration: false, returnsDeleted: true };

/** Kinds a PUT creates. */
export const creatable: ResourceStrategy = { tracksGeneration: false, createsOnUpdate: true };

/** Leases: every update must say which version it is based on. */
export const lease: ResourceStrategy = {
  tracksGeneration: false,
  createsOnUpdate: true,
  requiresResourceVersion: true,
};

/** Kinds with a desired state that controllers act on. */
export const workload: ResourceStrategy = {
  tracksGeneration: true,
  default: (draft) => defaultPodSpec(draft['spec']?.template?.spec),
  validate: validateWorkload,
};

/** Jobs and CronJobs. */
export const job: ResourceStrategy = {
  tracksGeneration: true,
  default: (draft) => defaultPodSpec((draft['spec']?.jobTemplate?.spec ?? draft['spec'])?.template?.spec),
};

/** Namespaces stay until their content is gone. */
export const namespace: ResourceStrategy = {
  tracksGeneration: false,
  nameRule: 'label',
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

/** Pods begin pending, and are given back when deleted. */
export const pod: ResourceStrategy = {
  tracksGeneration: true,
  returnsDeleted: true,
  default: (draft) => defaultPodSpec(draft['spec']),
  prepareCreate(draft) {
    draft['status'] = { phase: 'Pending', qosClass: qosClass(draft) };
  },
};

/** Secrets: plain text given as `stringData` is kept as data. */
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

/** ConfigMaps marked immutable stay as they are. */
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
  const wanted = Object.entries((selector?.matchLabels ?? {}) as Record<string, string>);
  if (wanted.some(([key, value]) => labels[key] !== value))
    errors.push(invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  if (live !== undefined && !equalJson(selector, live['spec']?.selector))
    errors.push(invalid('spec.selector', selector ?? null, 'field is immutable'));
  return errors;
}

interface Container {
  image?: string;
  imagePullPolicy?: string;
}

/** An image without a tag, or tagged latest, is pulled each time. */
function defaultPodSpec(spec: { containers?: Container[]; initContainers?: Container[] } | undefined): void {
  for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const tag = /:([^/:@]+)$/.exec((container.image ?? '').split('@')[0] ?? '')?.[1];
    const isPinned = container.image?.includes('@') === true || (tag !== undefined && tag !== 'latest');
    container.imagePullPolicy ??= isPinned ? 'IfNotPresent' : 'Always';
  }
}

interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

function qosClass(draft: KubeObject): string {
  const containers: readonly { readonly resources?: Resources }[] = draft['spec']?.containers ?? [];
  const all = containers.map((each) => each.resources ?? {});
  if (all.every(({ requests = {}, limits = {} }) => Object.keys({ ...requests, ...limits }).length === 0))
    return 'BestEffort';
  const guaranteed = all.every(({ requests, limits = {} }) =>
    ['cpu', 'memory'].every(
      (name) => limits[name] !== undefined && (requests?.[name] ?? limits[name]) === limits[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
