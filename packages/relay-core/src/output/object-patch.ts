/**
 * A patch as the server sends it to an agent: an output of a kind that no API server has. Ownership, order,
 * comparison and acknowledgement therefore work as for every output. Offline commands print it as a file.
 */
import type { JsonObject, JsonValue } from '@meshrelay/api';
import {
  apiVersionOf,
  type NativeObject,
  type NativeObjectRef,
  type PatchOperation,
  type ResourceKind,
} from '@meshrelay/plugin';

export const OBJECT_PATCH: ResourceKind = {
  group: 'agent.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'ObjectPatch',
  plural: 'objectpatches',
  namespaced: true,
};

/** A field of an object, with its desired value. */
export interface ObjectPatchSpec {
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  readonly fieldPath: string;
  readonly set?: JsonValue;
  readonly include?: readonly string[];
}

/**
 * The patch as an output, without managed labels and annotations. Its name is derived from what it changes, so there is
 * one for each field.
 */
export function objectPatch(object: NativeObjectRef, fieldPath: string, operation: PatchOperation): NativeObject {
  const { kind, namespace, name } = object;
  const spec: ObjectPatchSpec = {
    object: { apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name },
    fieldPath,
    ...operation,
  };
  return {
    apiVersion: apiVersionOf(OBJECT_PATCH),
    kind: OBJECT_PATCH.kind,
    metadata: { name: patchName(object, fieldPath), namespace },
    spec,
  };
}

/** The spec of an output of this kind, or undefined if it is malformed. */
export function readObjectPatch(spec: unknown): ObjectPatchSpec | undefined {
  const { object, fieldPath, set, include } = asObject(spec);
  const { apiVersion, kind, namespace, name } = asObject(object);
  if (!isText(apiVersion) || !isText(kind) || !isText(namespace) || !isText(name) || !isText(fieldPath))
    return undefined;
  const target = { object: { apiVersion, kind, namespace, name }, fieldPath };
  if (include === undefined) return set === undefined ? undefined : { ...target, set };
  return set === undefined && isTexts(include) ? { ...target, include } : undefined;
}

function patchName({ kind, name }: NativeObjectRef, fieldPath: string): string {
  const field = fieldPath
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '.')
    .replace(/\.$/, '');
  return [kind.kind.toLowerCase(), ...(kind.group === '' ? [] : [kind.group]), name, field].join('.');
}

function asObject(value: unknown): Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
