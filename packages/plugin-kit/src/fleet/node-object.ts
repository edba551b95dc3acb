/** The one node of a made-up cluster. */
import type { KubeObject } from '@meshrelay/api';

/** Its name. */
export const NODE_NAME = 'node-1';

/** The node, with its addresses by type (`InternalIP`, `ExternalIP`, ...). Its zone is `<region>-a`. */
export function nodeObject(region: string | undefined, addresses: Readonly<Record<string, string>>): KubeObject {
  const labels =
    region === undefined
      ? {}
      : { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': `${region}-a` };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: NODE_NAME, labels },
    status: { addresses: Object.entries(addresses).map(([type, address]) => ({ type, address })) },
  } as unknown as KubeObject;
}
