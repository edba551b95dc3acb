/** Takes off what changes without meaning: left in, every heartbeat of a node would be a change of the fleet. */
import type { KubeObject } from '@meshrelay/api';
import { refuseTooDeep } from './depth.ts';
import { groupOf } from './resource-kind.ts';
import { fitted } from './shape.ts';
import { shapeOf } from './shapes.ts';

const NOISY_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
]);

/**
 * The object without bookkeeping of the API server, with only those parts of its status that discovery reads, and without fields of another type
 * than they must have: the way in for all objects that are not of our own kinds.
 * @throws Error where it has no kind or no name, so that nobody can tell which object it is, or is nested too deeply for any walk over it
 */
export function withoutNoise(raw: KubeObject): KubeObject {
  const { apiVersion, kind } = raw as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new Error(`an object has no apiVersion or no kind: ${String(apiVersion)} ${String(kind)}`);
  refuseTooDeep(raw);
  const object = fitted(raw, shapeOf(groupOf(apiVersion), kind)) as KubeObject | undefined;
  if (object === undefined)
    throw new Error(
      `a ${kind} has no name, or a namespace that is no text, in its metadata; every object must have them`,
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
 * What Envoys say of the object, without when that was said last. What they refused of an earlier generation says nothing of this one; how many of them run something of it
 * says how many have yet to take this one.
 */
function proxyStatus(
  { refused, uptake, acknowledgement }: Record<string, unknown>,
  generation: number | undefined,
): Record<string, unknown> | undefined {
  const now = (note: Record<string, unknown>): boolean => note['observedGeneration'] === generation;
  const retained = {
    ...timeless('refused', refused, now),
    ...timeless('uptake', uptake, () => true),
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
    const { seenAt: _, ...rest } = reported;
    return [[replica, rest]];
  });
  return retained.length === 0 ? undefined : { [name]: Object.fromEntries(retained) };
}

/** Whether a node is ready, without when it last said so. */
function readiness(conditions: unknown): { readonly conditions?: readonly unknown[] } {
  const ready = Array.isArray(conditions) ? conditions.find((condition) => condition?.type === 'Ready') : undefined;
  return ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready.status }] };
}
