/** The address to which a pod's application resolves a name. */
import type { KubeObject } from '@meshrelay/api';
import type { LabCluster } from '../lab/lab-cluster.ts';
import type { LabPod } from '../lab/pod-plan.ts';

interface Service extends KubeObject {
  readonly spec: { readonly clusterIP?: string };
}

interface ServiceEntry extends KubeObject {
  readonly spec: {
    readonly hosts: readonly string[];
    readonly addresses?: readonly string[];
    readonly exportTo?: readonly string[];
  };
  readonly status?: { readonly addresses?: ReadonlyArray<{ readonly value: string; readonly host?: string }> };
}

/**
 * From the cluster's DNS, and from the mesh in pods that use its DNS proxy.
 * @param pod whose application resolves the name
 * @returns undefined if it does not resolve
 */
export async function resolve(cluster: LabCluster, pod: LabPod, host: string): Promise<string | undefined> {
  if (/^[\d.]+$/.test(host)) return host;
  const service = cluster.list('Service').find((one) => namesOf(one, pod.namespace).includes(host)) as
    | Service
    | undefined;
  const clusterIp = service?.spec.clusterIP;
  if (clusterIp !== undefined && clusterIp !== 'None') return clusterIp;
  if (!pod.resolvesMeshNames || !pod.proxy) return undefined;
  const entry = cluster
    .list('ServiceEntry')
    .find((one) => (one as ServiceEntry).spec.hosts.includes(host) && isVisible(one as ServiceEntry, pod.namespace));
  if (entry === undefined) return undefined;
  const [own] = (entry as ServiceEntry).spec.addresses ?? [];
  if (own !== undefined) return own.split('/')[0];
  // istiod allocates one, in the entry's status.
  const { status } = ((await cluster.read(entry)) ?? entry) as ServiceEntry;
  return status?.addresses?.find(({ value }) => !value.includes(':'))?.value;
}

/** istiod sends a proxy the names that are visible in its namespace. */
function isVisible({ metadata: { namespace = '' }, spec: { exportTo = [] } }: ServiceEntry, from: string): boolean {
  const namespaces = exportTo.map((name) => (name === '.' ? namespace : name));
  return namespaces.length === 0 || namespaces.includes('*') || namespaces.includes(from);
}

function namesOf({ metadata: { name, namespace = '' } }: KubeObject, from: string): string[] {
  const full = [`${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  return namespace === from ? [name, ...full] : full;
}
