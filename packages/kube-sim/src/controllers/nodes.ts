/** The nodes of the cluster: a configured number, spread over zones. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { addressAt } from './address-pool.ts';
import { stampConditions, timestamp } from './conditions.ts';
import type { Controller, OnFault } from './controller.ts';
import { NODE } from './kinds.ts';
import { refOf, startLoop } from './reconcile-loop.ts';

/** The nodes a cluster has. */
export interface NodeOptions {
  /** Number of nodes; 1 by default. 0 leaves every pod pending. */
  readonly count?: number;
  /** `<prefix>-1`, `<prefix>-2`, …; `node` by default. */
  readonly namePrefix?: string;
  /** Value of `topology.kubernetes.io/region`; none by default. */
  readonly region?: string;
  /** Values of `topology.kubernetes.io/zone`, assigned in turn; none by default. */
  readonly zones?: readonly string[];
  /** Range of the nodes' InternalIPs; 172.18.0.0/16 by default. */
  readonly cidr?: string;
}

const KUBELET_VERSION = 'v1.34.4';
const CAPACITY = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '1000' };

/** Keeps the nodes present and ready. */
export function startNodes(
  store: ControllerStore,
  { nodes = {}, onFault }: { readonly nodes?: NodeOptions | undefined; readonly onFault?: OnFault | undefined },
): Controller {
  const names = Array.from({ length: nodes.count ?? 1 }, (_, at) => `${nodes.namePrefix ?? 'node'}-${at + 1}`);
  const reconcile = (name: string): void => {
    const at = names.indexOf(name);
    if (at < 0) return;
    const node = store.get(NODE, { name }) ?? store.create(newNode(name, at, nodes));
    const status = nodeStatus(node, addressAt(nodes.cidr ?? '172.18.0.0/16', at + 2), timestamp(store));
    store.update({ ...node, status }, { subresource: 'status' });
  };
  const loop = startLoop({
    name: 'Node',
    store,
    watches: [{ kind: NODE, refs: (e) => [refOf(e)] }],
    reconcile: (ref) => reconcile(ref.name),
    onFault,
  });
  for (const name of names) reconcile(name);
  return loop;
}

function newNode(name: string, at: number, { region, zones }: NodeOptions): KubeObject {
  const zone = zones === undefined || zones.length === 0 ? undefined : zones[at % zones.length];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...(region === undefined ? {} : { 'topology.kubernetes.io/region': region }),
        ...(zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone }),
      },
    },
    spec: {},
  };
}

function nodeStatus(node: KubeObject, address: string, now: string): KubeObject['status'] {
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'the simulated node is always ready',
  } as const;
  const [condition] = stampConditions(node['status']?.conditions, [ready], now);
  return {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: node.metadata.name },
    ],
    allocatable: CAPACITY,
    capacity: CAPACITY,
    conditions: [{ ...condition, lastHeartbeatTime: condition?.lastTransitionTime }],
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: 'simulated://1',
      kernelVersion: '',
      kubeProxyVersion: KUBELET_VERSION,
      kubeletVersion: KUBELET_VERSION,
      machineID: '',
      operatingSystem: 'linux',
      osImage: 'simulated',
      systemUUID: '',
    },
  };
}
