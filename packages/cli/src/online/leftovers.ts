/** Describes the objects that stay in a deregistered cluster: meshctl only connects to the management cluster. */
import type { KubernetesClusterSpec } from '@meshrelay/api';
import type { DeregisterMode } from './deregister-mode.ts';

export interface Ended {
  readonly cluster: string;
  readonly namespace: string;
  readonly mode: DeregisterMode;
  readonly spec: KubernetesClusterSpec;
}

/**
 * The text, as lines without line ends. Its commands name a context: in the management cluster, Secrets of the same
 * names are those of the server.
 */
export function leftovers({ cluster, namespace, mode, spec }: Ended): readonly string[] {
  const named = namespace === 'meshrelay' ? '' : ` --namespace ${namespace}`;
  return [
    `these objects stay in ${cluster}:`,
    ...(mode === 'drain' ? [] : ['  generated objects, which no controller manages any more']),
    ...(spec.secretName === undefined
      ? ['  its agent, with its Secrets, permissions and CRDs']
      : ['  CRDs, permissions, and the ServiceAccount of the kubeconfig, whose token is valid until you delete it']),
    '  CAs of its meshes, if a root of the fleet signed them',
    `to delete them, with CONTEXT as the context of ${cluster}, never that of the management cluster:`,
    ...(spec.secretName === undefined
      ? []
      : [`  kubectl --context CONTEXT -n ${namespace} delete serviceaccount meshrelay-direct`]),
    `  meshctl uninstall agent --context CONTEXT${named} --purge    # lists what else is left, and how to delete it`,
  ];
}
