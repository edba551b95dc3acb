/** Files mounted into a pod for its Envoy: a token for the agent, and the roots of the agent's certificate. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import type { RunningCluster } from './cluster.ts';
import { EnvoyToken } from './envoy-token.ts';
import type { RunFolder } from './run-folder.ts';
import { until, type WaitOptions } from './wait.ts';

/** Paths, in the form that `bootstrap` of plugin-envoy takes. Disposing it stops renewing the token. */
export interface EnvoyFiles extends AsyncDisposable {
  readonly tokenFile: string;
  readonly rootsFile: string;
}

/** Writes both into the folder. @throws NotConverged if the leading agent publishes no roots in the pod's namespace */
export async function envoyFiles(
  cluster: RunningCluster,
  pod: KubeObject,
  folder: RunFolder,
  timeoutMs: WaitOptions,
): Promise<EnvoyFiles> {
  const { plan } = cluster;
  const { namespace = '' } = pod.metadata;
  const roots = await rootsIn(cluster, namespace, timeoutMs);
  const token = await EnvoyToken.start({ cluster, pod, folder });
  return {
    tokenFile: token.path,
    rootsFile: folder.write(`${plan.name}-${namespace}.ca.crt`, roots),
    [Symbol.asyncDispose]: () => token[Symbol.asyncDispose](),
  };
}

function rootsIn({ sim }: RunningCluster, namespace: string, timeoutMs: WaitOptions): Promise<string> {
  return until(`the agent's roots in ${namespace}`, timeoutMs, () => {
    const map = sim.objects.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: ROOTS_CONFIG_MAP });
    return (map?.['data'] as Record<string, string> | undefined)?.['ca.crt'];
  });
}
