/** The other replicas of a program: pods with its labels in its namespace. */
import { isIP } from 'node:net';
import type { KubeObject } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import { POD } from '@meshrelay/relay-core';

export interface Peer {
  /** The pod's name. */
  readonly replica: string;
  readonly address: string;
  readonly port: number;
}

export interface FindPeersOptions {
  readonly connection: Pick<KubeConnection, 'objects'>;
  readonly namespace: string;
  readonly selector: string;
  /** Name of this replica, to exclude it. */
  readonly replica: string;
  /** Default port for pods without a container port named `peers`. */
  readonly port: number;
  /** Whether this replica is a pod itself, so that the list must contain it. */
  readonly inCluster: boolean;
}

/** Maximum number of replicas that are called. */
export const MAX_PEERS = 16;

/**
 * The other replicas. @throws KubeError, and Error if this replica is a pod and the list lacks it: then the labels
 * differ
 */
export async function findPeers({
  connection,
  namespace,
  selector,
  replica,
  port,
  inCluster,
}: FindPeersOptions): Promise<readonly Peer[]> {
  const pods = await connection.objects(POD).list({ namespace, labelSelector: selector });
  if (inCluster && !pods.some(({ metadata }) => metadata.name === replica))
    throw new Error(
      `no pod of namespace ${namespace} with the labels ${selector} is this replica, ${replica}; set peers.selector to the labels of its pods`,
    );
  return pods
    .filter(({ metadata }) => metadata.name !== replica)
    .flatMap((pod) => peerOf(pod, port) ?? [])
    .sort((a, b) => (a.replica < b.replica ? -1 : 1))
    .slice(0, MAX_PEERS);
}

/** undefined for a pod that cannot be called: it has no address yet, or has ended. */
function peerOf({ metadata, spec, status }: KubeObject, fallback: number): Peer | undefined {
  const { containers = [] } = (spec ?? {}) as PodSpec;
  const { podIP = '', phase } = (status ?? {}) as PodStatus;
  if (isIP(podIP) === 0 || phase === 'Succeeded' || phase === 'Failed') return undefined;
  const named = containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === 'peers');
  return { replica: metadata.name, address: podIP, port: named?.containerPort ?? fallback };
}

interface PodSpec {
  readonly containers?: ReadonlyArray<{
    readonly ports?: ReadonlyArray<{ readonly name?: string; readonly containerPort?: number }>;
  }>;
}

interface PodStatus {
  readonly podIP?: string;
  readonly phase?: string;
}
