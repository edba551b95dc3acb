/** Takes off what changes without meaning: left in, every heartbeat of a node would be a change of the fleet. */
import type { KubeObject } from '@meshrelay/api';

const NOISY_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
]);

/** The object without bookkeeping of the API server, and with only those parts of its status that discovery reads. */
export function withoutNoise(object: KubeObject): KubeObject {
  const { managedFields, resourceVersion, selfLink, ...metadata } = object.metadata as unknown as Record<
    string,
    unknown
  >;
  const annotations = meaningfulAnnotations(metadata['annotations'] as Record<string, string> | undefined);
  if (annotations === undefined) delete metadata['annotations'];
  else metadata['annotations'] = annotations;
  const { status, ...rest } = object as KubeObject & { status?: unknown };
  const kept = statusThatMatters(object.kind, status as Record<string, unknown> | undefined);
  return { ...rest, metadata, ...(kept === undefined ? {} : { status: kept }) } as unknown as KubeObject;
}

function meaningfulAnnotations(annotations: Record<string, string> | undefined): Record<string, string> | undefined {
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !NOISY_ANNOTATIONS.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function statusThatMatters(
  kind: string,
  status: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (status === undefined) return undefined;
  switch (kind) {
    case 'Pod':
      return { phase: status['phase'], podIP: status['podIP'], podIPs: status['podIPs'] };
    case 'Node':
      return { addresses: status['addresses'], ...readiness(status['conditions']) };
    case 'Service':
      return { loadBalancer: status['loadBalancer'] };
    default:
      return undefined;
  }
}

/** Whether a node is ready, without when it last said so. */
function readiness(conditions: unknown): { readonly conditions?: readonly unknown[] } {
  const ready = Array.isArray(conditions) ? conditions.find((condition) => condition?.type === 'Ready') : undefined;
  return ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready.status }] };
}
