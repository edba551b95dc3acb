/** Which outputs may be applied at all. What the server sends is not trusted further than these rules. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import {
  apiVersionOf,
  OBJECT_PATCH,
  OBJECT_STATUS,
  OWNER_LABEL,
  type ResourceKind,
  readObjectPatch,
  readObjectStatus,
} from '@meshrelay/relay-core';
import { isRetained, type ObjectEnvelope, type ObjectRejection, objectId } from '@meshrelay/relay-protocol';
import { isClustersOwn } from './forbidden-outputs.ts';
import type { PatchPermissions } from './patch/patch-permissions.ts';
import { rejectionOf } from './rejections.ts';
import { statusKind } from './status-applier.ts';
import type { WrittenKinds } from './written-kinds.ts';

/** An object the cluster is to have. */
export interface DesiredOutput {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly hash: string;
  /** Labels, annotations and content; nothing that only the API server decides. */
  readonly object: KubeObject;
}

export type AdmissionResult =
  | { readonly output: DesiredOutput; readonly rejection?: undefined }
  | { readonly rejection: ObjectRejection; readonly output?: undefined }
  /** What there is of it stays as it is. */
  | { readonly output?: undefined; readonly rejection?: undefined };

export interface AdmissionOptions {
  readonly kinds: WrittenKinds;
  readonly rights: PatchPermissions;
  /** What the owner label must say. */
  readonly owner: string;
}

/** Takes an output in, or says why not. */
export function admitOutput(envelope: ObjectEnvelope, { kinds, rights, owner }: AdmissionOptions): AdmissionResult {
  const refuse = (code: string, reason: string): AdmissionResult => ({
    rejection: rejectionOf(envelope, envelope.hash, code, reason),
  });
  const kind = kinds.find(envelope);
  if (kind === undefined) {
    const known = kinds.all.map((one) => one.kind).join(', ');
    return refuse(
      'NOT_ALLOWED',
      `no plugin of this agent writes ${envelope.group}/${envelope.version} ${envelope.kind}; it writes ${known}`,
    );
  }
  if (isClustersOwn(envelope.namespace))
    return refuse('NOT_ALLOWED', `no output is taken for namespace ${envelope.namespace}, which is the cluster's own`);
  if (isRetained(envelope)) return {};
  const object = parse(envelope.body);
  if (object === undefined) return refuse('MISLABELLED', 'its body is no JSON object with metadata');
  const { name, namespace = '', labels } = object.metadata;
  if (
    object.apiVersion !== apiVersionOf(kind) ||
    object.kind !== kind.kind ||
    name !== envelope.name ||
    namespace !== envelope.namespace
  ) {
    return refuse('MISLABELLED', `its body is ${object.apiVersion} ${object.kind} ${namespace}/${name}`);
  }
  if (labels?.[OWNER_LABEL] !== owner) {
    return refuse(
      'NOT_OURS',
      `its label ${OWNER_LABEL} is ${JSON.stringify(labels?.[OWNER_LABEL])}, expected "${owner}" (managementNamespace of the agent's configuration)`,
    );
  }
  if (kind === OBJECT_PATCH) {
    const patch = readObjectPatch(object.spec);
    if (patch === undefined || patch.object.namespace !== namespace)
      return refuse('MISLABELLED', 'its spec names no field of an object of its namespace');
    if (rights.kindFor(patch) === undefined) {
      const { object: target, fieldPath } = patch;
      return refuse('NOT_ALLOWED', `no plugin of this agent may patch ${fieldPath} of ${target.kind} ${target.name}`);
    }
  }
  if (kind === OBJECT_STATUS) {
    const named = readObjectStatus(object.spec);
    if (named === undefined || named.object.namespace !== namespace || statusKind(named.object.kind) === undefined)
      return refuse('MISLABELLED', 'its spec names no status of a policy of its namespace');
  }
  return { output: { id: objectId(envelope), kind, hash: envelope.hash, object: stripped(object) } };
}

function parse(body: Uint8Array): KubeObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
  const metadata = (value as { readonly metadata?: unknown } | null)?.metadata;
  return typeof metadata === 'object' && metadata !== null ? (value as KubeObject) : undefined;
}

/** Owner references, finalizers and statuses are nobody's business but the cluster's. */
function stripped({ metadata, status: _, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}
