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
    `what stays in ${cluster}, and how to remove it there:`,
    ...(mode === 'drain'
      ? []
      : [
          '  what it has of ours, and keeps without anybody who looks after it; for each kind:',
          `    kubectl delete KIND -A -l ${OWNER_LABEL}=${namespace}`,
        ]),
    ...(spec.secretName === undefined
      ? [
          '  Secrets of its agent, which makes some of them anew as long as it runs; uninstall it, then:',
          `    kubectl -n ${namespace} delete secret --ignore-not-found ${AGENT_SECRETS.join(' ')}`,
        ]
      : [
          '  the ServiceAccount of the kubeconfig, whose token is good until it is deleted:',
          `    kubectl -n ${namespace} delete serviceaccount meshrelay-direct`,
        ]),
    '  CAs of its meshes, if they were under a root of the fleet: workloads go on with certificates of them, so give each mesh another CA first; then:',
    `    kubectl delete secret -A -l ${ISSUED_FOR_LABEL}`,
  ];
}
