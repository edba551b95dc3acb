/** Removes fields that change without meaning: otherwise every heartbeat of a node would be a change of the fleet. */
import type { KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';
import { refuseTooDeep } from './depth.ts';
import { fitted } from './shape.ts';
import { shapeOf } from './shapes.ts';

const NOISY_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
]);

/**
 * The object without bookkeeping of the API server, without status fields that discovery does not read, and without
 * fields of a wrong type. All objects of kinds that Meshrelay does not define enter through it.
 * @throws Error if it has no kind or no name, so that it cannot be identified, or is nested too deeply for recursive
 * code
 */
export function withoutNoise(raw: KubeObject): KubeObject {
  const { apiVersion, kind } = raw as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new Error(`an object has no apiVersion or no kind: ${String(apiVersion)} ${String(kind)}`);
  refuseTooDeep(raw);
  const object = fitted(raw, shapeOf(groupOf(apiVersion), kind)) as KubeObject | undefined;
  if (object === undefined)
    throw new Error(
      `a ${kind} has no metadata.name, or a metadata.namespace that is not a string; every object needs both`,
    );
  const { managedFields, resourceVersion, selfLink, ...metadata } = object.metadata as unknown as Record<
    string,
    unknown
  >;
  const annotations = meaningfulAnnotations(metadata['annotations'] as Record<string, string> | undefined);
  if (annotations === undefined) delete metadata['annotations'];
  else metadata['annotations'] = annotations;
  const { status, ...rest } = object as KubeObject & { status?: unknown };
  const retained = statusThatMatters(object, status as Record<string, unknown> | undefined);
  return { ...rest, metadata, ...(retained === undefined ? {} : { status: retained }) } as unknown as KubeObject;
}

function meaningfulAnnotations(annotations: Record<string, string> | undefined): Record<string, string> | undefined {
  const retained = Object.entries(annotations ?? {}).filter(([name]) => !NOISY_ANNOTATIONS.has(name));
  return retained.length === 0 ? undefined : Object.fromEntries(retained);
}

function statusThatMatters(
  { kind, metadata }: KubeObject,
  status: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (typeof status !== 'object' || status === null) return undefined;
  switch (kind) {
    case 'Pod':
      return { phase: status['phase'], podIP: status['podIP'], podIPs: status['podIPs'] };
    case 'Node':
      return { addresses: status['addresses'], ...readiness(status['conditions']) };
    case 'Service':
      return { loadBalancer: status['loadBalancer'] };
    case 'XdsConfig':
      return proxyStatus(status, metadata.generation);
    default:
      return undefined;
  }
}

/**
 * What Envoys report about the object, without the time of the last report. NACKs of an earlier generation do not apply
 * to this one. The number of Envoys that run an earlier one shows how many have yet to receive this one.
 */
function proxyStatus(
  { nacked, ackStatus, acknowledgement }: Record<string, unknown>,
  generation: number | undefined,
): Record<string, unknown> | undefined {
  const now = (note: Record<string, unknown>): boolean => note['observedGeneration'] === generation;
  const retained = {
    ...timeless('nacked', nacked, now),
    ...timeless('ackStatus', ackStatus, () => true),
    ...(acknowledgement === undefined ? {} : { acknowledgement }),
  };
  return Object.keys(retained).length === 0 ? undefined : retained;
}

function timeless(
  name: string,
  notes: unknown,
  holds: (note: Record<string, unknown>) => boolean,
): Record<string, unknown> | undefined {
  if (typeof notes !== 'object' || notes === null) return undefined;
  const retained = Object.entries(notes).flatMap(([replica, reported]): Array<[string, unknown]> => {
    if (typeof reported !== 'object' || reported === null || !holds(reported)) return [];
    const { observedTime: _, ...rest } = reported;
    return [[replica, rest]];
  });
  return retained.length === 0 ? undefined : { [name]: Object.fromEntries(retained) };
}

/** Whether a node is ready, without the time of its last heartbeat. */
function readiness(conditions: unknown): { readonly conditions?: readonly unknown[] } {
  const ready = Array.isArray(conditions) ? conditions.find((condition) => condition?.type === 'Ready') : undefined;
  return ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready.status }] };
}
