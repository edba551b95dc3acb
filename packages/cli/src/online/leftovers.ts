/**
 * Describes the objects that stay in a deregistered cluster, why, and how to remove them: meshctl only connects to the
 * management cluster.
 */
import type { KubernetesClusterSpec } from '@meshrelay/api';
import { AGENT_SECRETS, ISSUED_FOR_LABEL, OWNER_LABEL } from '@meshrelay/relay-core';
import type { DeregisterMode } from './deregister-mode.ts';

export interface Ended {
  readonly cluster: string;
  readonly namespace: string;
  readonly mode: DeregisterMode;
  readonly spec: KubernetesClusterSpec;
}

/** The text, as lines without line ends. */
export function leftovers({ cluster, namespace, mode, spec }: Ended): readonly string[] {
  return [
    `these objects stay in ${cluster}; to delete them there:`,
    ...(mode === 'drain'
      ? []
      : [
          '  generated objects, which no controller manages any more; for each kind:',
          `    kubectl delete KIND -A -l ${OWNER_LABEL}=${namespace}`,
        ]),
    ...(spec.secretName === undefined
      ? [
          '  Secrets of its agent, which recreates some of them while it runs; uninstall the agent, then:',
          `    kubectl -n ${namespace} delete secret --ignore-not-found ${AGENT_SECRETS.join(' ')}`,
        ]
      : [
          '  the ServiceAccount of the kubeconfig, whose token is valid until you delete it:',
          `    kubectl -n ${namespace} delete serviceaccount meshrelay-direct`,
        ]),
    '  CAs of its meshes, if a root of the fleet signed them: workloads still use their certificates, so give each mesh another CA first; then:',
    `    kubectl delete secret -A -l ${ISSUED_FOR_LABEL}`,
  ];
}
