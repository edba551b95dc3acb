/** What a pod has mounted for its Envoy: a token for the agent, and the roots that the agent's certificate is from. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import type { RunningCluster } from './cluster.ts';
import type { RunFolder } from './run-folder.ts';
import { type Patience, until } from './wait.ts';

/** Paths, as `bootstrap` of plugin-envoy takes them. */
export interface EnvoyFiles {
  readonly tokenFile: string;
  readonly rootsFile: string;
}

const TOKEN_AUDIENCE = 'meshrelay';

/** Writes both into the folder. @throws NotConverged where the leader of the agents gives the pod's namespace no roots */
export async function envoyFiles(
  cluster: RunningCluster,
  pod: KubeObject,
  folder: RunFolder,
  patience: Patience,
): Promise<EnvoyFiles> {
  const { plan } = cluster;
  const { namespace = '', name } = pod.metadata;
  return {
    tokenFile: folder.write(`${plan.name}-${name}.token`, await tokenOf(cluster, pod)),
    rootsFile: folder.write(`${plan.name}-${namespace}.ca.crt`, await rootsIn(cluster, namespace, patience)),
  };
}

/** As the kubelet asks for it: bound to the pod. */
async function tokenOf(
  { connection }: RunningCluster,
  { metadata: { namespace = '', name, uid }, ...pod }: KubeObject,
): Promise<string> {
  const account = pod['spec'].serviceAccountName as string;
  const answer = await connection.request<{ readonly status: { readonly token: string } }>({
    what: `token of ${account}`,
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [TOKEN_AUDIENCE], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } },
    },
  });
  return answer.status.token;
}

function rootsIn({ sim }: RunningCluster, namespace: string, patience: Patience): Promise<string> {
  return until(`the agent's roots in ${namespace}`, patience, () => {
    const map = sim.objects.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: ROOTS_CONFIG_MAP });
    return (map?.['data'] as Record<string, string> | undefined)?.['ca.crt'];
  });
}
