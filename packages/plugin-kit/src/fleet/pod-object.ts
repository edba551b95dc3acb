/** A running pod, before injection. */
import type { KubeObject } from '@meshrelay/api';

/** The distinguishing fields of a simulated pod. */
export interface PodSpec {
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly address: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The pod, with one application container. */
export function podObject({ name, namespace, account, address, node, labels, annotations }: PodSpec): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: {
      serviceAccountName: account,
      nodeName: node,
      containers: [{ name: 'app', image: 'registry.example/app:1' }],
    },
    status: { phase: 'Running', podIP: address },
  } as unknown as KubeObject;
}
