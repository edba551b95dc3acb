/**
 * The status of a policy in a workload cluster, on its way to that cluster's agent. It is an object among the outputs,
 * of a kind that no API server has. Comparison, sending and acknowledgement therefore work as for every output.
 */
import type { JsonObject, JsonValue, PolicyRef } from '@meshrelay/api';
import { apiVersionOf, type ResourceKind } from '@meshrelay/plugin';
import type { DesiredObject } from './desired-object.ts';
import { owned } from './ownership.ts';

export const OBJECT_STATUS: ResourceKind = {
  group: 'agent.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'ObjectStatus',
  plural: 'objectstatuses',
  namespaced: true,
};

/**
 * The desired status of an object. Conditions have no times: the agent sets them, since it sees the previous status.
 */
export interface ObjectStatusSpec {
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly status: JsonObject;
}

/** The status as an output of the policy's cluster. `owner` is the management namespace. */
export function objectStatus(
  { kind, cluster, namespace, name }: PolicyRef,
  status: unknown,
  owner: string,
): DesiredObject {
  // Undefined members are not serialized, so they are not a difference.
  const plain = JSON.parse(JSON.stringify(status)) as JsonObject;
  const spec: ObjectStatusSpec = { object: { kind, namespace, name }, status: plain };
  const object = {
    apiVersion: apiVersionOf(OBJECT_STATUS),
    kind: OBJECT_STATUS.kind,
    metadata: { name: `${kind.toLowerCase()}.${name}`, namespace },
    spec,
  };
  return { cluster, kind: OBJECT_STATUS, plugin: 'core', object: owned(object, owner, 'core', []), sourcePolicies: [] };
}

/** The spec of an output of this kind, or undefined if it is malformed. */
export function readObjectStatus(spec: unknown): ObjectStatusSpec | undefined {
  const { object, status } = asObject(spec);
  const { kind, namespace, name } = asObject(object);
  if (typeof kind !== 'string' || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
  if (typeof status !== 'object' || status === null || Array.isArray(status)) return undefined;
  return { object: { kind, namespace, name }, status: status as JsonObject };
}

function asObject(value: unknown): Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}
