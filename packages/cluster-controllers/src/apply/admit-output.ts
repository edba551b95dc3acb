/** Admission of outputs: the agent applies what the server sends only within these rules. */
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
import { statusKind } from './status-kind.ts';
import type { WrittenKinds } from './written-kinds.ts';

/** An object that the cluster must have. */
export interface DesiredOutput {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly hash: string;
  /** Labels, annotations and content, without fields that only the API server sets. */
  readonly object: KubeObject;
}

export type AdmissionResult =
  | { readonly output: DesiredOutput; readonly rejection?: undefined }
  | { readonly rejection: ObjectRejection; readonly output?: undefined }
  /** The object in the cluster stays unchanged. */
  | { readonly output?: undefined; readonly rejection?: undefined };

export interface AdmissionOptions {
  readonly kinds: WrittenKinds;
  readonly rights: PatchPermissions;
  /** Required value of the owner label. */
  readonly owner: string;
}

/** Admits an output or returns its rejection. */
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
    return refuse(
      'NOT_ALLOWED',
      `no output is accepted for namespace ${envelope.namespace}, which belongs to Kubernetes`,
    );
  if (isRetained(envelope)) return {};
  const object = parse(envelope.body);
  if (object === undefined) return refuse('ENVELOPE_MISMATCH', 'its body is not a JSON object with metadata');
  const { name, namespace = '', labels } = object.metadata;
  if (
    object.apiVersion !== apiVersionOf(kind) ||
    object.kind !== kind.kind ||
    name !== envelope.name ||
    namespace !== envelope.namespace
  ) {
    return refuse('ENVELOPE_MISMATCH', `its body is ${object.apiVersion} ${object.kind} ${namespace}/${name}`);
  }
  if (labels?.[OWNER_LABEL] !== owner) {
    return refuse(
      'OTHER_OWNER',
      `its label ${OWNER_LABEL} is ${JSON.stringify(labels?.[OWNER_LABEL])}, expected "${owner}" (managementNamespace of the agent's configuration)`,
    );
  }
  if (kind === OBJECT_PATCH) {
    const patch = readObjectPatch(object.spec);
    if (patch === undefined || patch.object.namespace !== namespace)
      return refuse('ENVELOPE_MISMATCH', 'its spec names no field of an object of its namespace');
    if (rights.kindFor(patch) === undefined) {
      const { object: target, fieldPath } = patch;
      return refuse('NOT_ALLOWED', `no plugin of this agent may patch ${fieldPath} of ${target.kind} ${target.name}`);
    }
  }
  if (kind === OBJECT_STATUS) {
    const named = readObjectStatus(object.spec);
    if (named === undefined || named.object.namespace !== namespace || statusKind(named.object.kind) === undefined)
      return refuse('ENVELOPE_MISMATCH', 'its spec names no status of a policy of its namespace');
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

/** Drops owner references, finalizers and status, which only the cluster itself may set. */
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
