/** The part of a pod that attribution needs, extracted on arrival so that nothing else of it is stored. */
import type { KubeObject } from '@meshrelay/api';
import { controllerOf, type Pod } from '@meshrelay/relay-core';

export interface SeenPod {
  /** Name of the topmost controller among its owners, or its own name. */
  readonly workload: string;
  /** Empty if the pod shares its addresses or has none any more. */
  readonly addresses: readonly string[];
  readonly created: string;
}

/** Label that the Deployment controller adds: the suffix of the name of the ReplicaSet in between. */
const HASH_LABEL = 'pod-template-hash';

/** The reduced pod. */
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

/** A pod on the host network shares its address with others on the node; a terminated pod has no address any more. */
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
