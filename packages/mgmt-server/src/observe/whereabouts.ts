/** Which agent can be asked about a cluster here, and what to do where none can. */
import { key } from '@meshrelay/relay-core';
import type { InvokeCaller, ReplicaAnswer } from '@meshrelay/relay-protocol';
import type { AgentCallers } from '../relay/agent-callers.ts';
import type { Connections } from '../relay/connections.ts';
import type { Fleet } from '../store/fleet.ts';

/** How a cluster stands in an answer. */
export interface ClusterAnswer {
  readonly cluster: string;
  /** Of its agent; those that did not answer say why. */
  readonly replicas?: readonly ReplicaAnswer[];
  /** Why nothing is known of it, or not all, and what to do. */
  readonly problem?: string;
  /** The replica of the server that its agent is connected to, where it is another one. */
  readonly connectedTo?: string;
}

export type Whereabouts = { readonly caller: InvokeCaller } | (ClusterAnswer & { readonly problem: string });

export interface Knowledge {
  readonly fleet: Pick<Fleet, 'world'>;
  readonly connections: Pick<Connections, 'of'>;
  readonly agents: Pick<AgentCallers, 'callerOf'>;
}

export function whereabouts({ fleet, connections, agents }: Knowledge, cluster: string): Whereabouts {
  const caller = agents.callerOf(cluster);
  if (caller !== undefined) {
    if (caller.capabilities.includes('logs')) return { caller };
    return { cluster, problem: `the agent of ${cluster} knows nothing of logs and traffic; upgrade it` };
  }
  const facts = fleet.world.clusters.get(key(cluster));
  if (facts === undefined)
    return { cluster, problem: `there is no cluster ${cluster}; meshctl cluster list shows those that are registered` };
  if (facts.secretName !== undefined)
    return { cluster, problem: `the server reaches ${cluster} itself; only an agent there receives what proxies log` };
  const { replica, push } = connections.of(cluster);
  if (replica !== undefined && push)
    return {
      cluster,
      connectedTo: replica,
      problem: `the agent of ${cluster} is connected to replica ${replica} of the server; ask that one`,
    };
  return {
    cluster,
    problem: `the agent of ${cluster} is not connected; meshctl cluster list says since when, its log says why`,
  };
}
