/** As much of a pod as attribution needs, made on arrival so that nothing else of it is ever kept. */
import type { KubeObject } from '@meshrelay/api';
import { controllerOf, type Pod } from '@meshrelay/relay-core';

export interface SeenPod {
  /** The name of the controller at the top of its owners, or its own. */
  readonly workload: string;
  /** Empty where its addresses are not its alone, or no longer. */
  readonly addresses: readonly string[];
  readonly created: string;
}

/** The label that a Deployment's controller adds: the end of the name of the ReplicaSet between them. */
const HASH_LABEL = 'pod-template-hash';

/** The pod as it is handed on. */
export function seenPod(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  const spec: SeenPod = {
    workload: workloadOf(object as Pod),
    addresses: addressesOf(object as Pod),
    created: metadata.creationTimestamp ?? '',
  };
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, spec } as unknown as KubeObject;
}

function workloadOf(pod: Pod): string {
  const owner = controllerOf(pod);
  if (owner === undefined) return pod.metadata.name;
  const hash = pod.metadata.labels?.[HASH_LABEL];
  const end = `-${hash}`;
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(end)
    ? owner.name.slice(0, -end.length)
    : owner.name;
}

/** A pod on its node's network shares its address with whatever else is there; one that ended has none any more. */
function addressesOf(pod: Pod): readonly string[] {
  const { spec, status } = pod as { spec?: { hostNetwork?: boolean }; status?: PodAddresses };
  if (spec?.hostNetwork === true || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  const all = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  return [...new Set(all.filter((ip): ip is string => typeof ip === 'string' && ip !== ''))];
}

interface PodAddresses {
  readonly phase?: string;
  readonly podIP?: string;
  readonly podIPs?: ReadonlyArray<{ readonly ip?: string }>;
}
