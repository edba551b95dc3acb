/** The nodes of a simulated cluster. */
import type { KubeObject } from '@meshrelay/api';

/** Name of the only node of a cluster. */
export const NODE_NAME = 'node-1';

/** Short form of a node. */
export interface NodeSpec {
  /** By type (`InternalIP`, `ExternalIP`, ...). */
  readonly addresses: Readonly<Record<string, string | readonly string[]>>;
  /** Default: `<region>-a`. */
  readonly zone?: string;
  /** Omitted: the node has no such condition. */
  readonly ready?: boolean;
}

/** The node, in the region of its cluster. */
export function nodeObject(name: string, region: string | undefined, { addresses, zone, ready }: NodeSpec): KubeObject {
  const labels =
    region === undefined
      ? {}
      : { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone ?? `${region}-a` };
  const conditions = ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    status: {
      addresses: Object.entries(addresses).flatMap(([type, some]) =>
        [some].flat().map((address) => ({ type, address })),
      ),
      ...conditions,
    },
  } as unknown as KubeObject;
}
