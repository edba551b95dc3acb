/** Which agent can be asked about a cluster, on which road, and what to do where none can. */
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
  /** Where there is a problem: the replica of the server that its agent is connected to, if that is another one. */
  readonly connectedTo?: string;
}

/** Asks one agent: over its stream to this replica, or through the replica that it is connected to. */
export type AgentCaller = Pick<InvokeCaller, 'call'>;

/** Asks agents through other replicas. */
export interface PeerAgents {
  callerOf(cluster: string, replica: string): AgentCaller;
}

export type AgentLookup =
  | { readonly caller: AgentCaller; readonly connectedTo?: string }
  | (ClusterAnswer & { readonly problem: string });

export interface AgentLookupContext {
  readonly fleet: Pick<Fleet, 'fleetState'>;
  readonly connections: Pick<Connections, 'of'>;
  readonly agents: Pick<AgentCallers, 'callerOf'>;
  /** The way to the agents of other replicas; undefined where there is none. */
  readonly onPeer?: PeerAgents | undefined;
}

/** Who is asked about a cluster's logs and traffic. */
export function lookupAgent(knowledge: AgentLookupContext, cluster: string): AgentLookup {
  const here = knowledge.agents.callerOf(cluster);
  const problem = here === undefined ? undefined : unableToLog(cluster, here);
  return problem === undefined ? agentCallerFor(knowledge, cluster) : { cluster, problem };
}

/** Who is asked for a cluster's agent, whatever it knows. */
export function agentCallerFor(
  { fleet, connections, agents, onPeer }: AgentLookupContext,
  cluster: string,
): AgentLookup {
  const caller = agents.callerOf(cluster);
  if (caller !== undefined) return { caller };
  const facts = fleet.fleetState.clusters.get(key(cluster));
  if (facts === undefined)
    return { cluster, problem: `there is no cluster ${cluster}; meshctl cluster list shows those that are registered` };
  if (facts.secretName !== undefined)
    return { cluster, problem: `the server reaches ${cluster} itself; there is no agent that could be asked` };
  const { replica, push } = connections.of(cluster);
  if (replica !== undefined && push) {
    if (onPeer !== undefined) return { caller: onPeer.callerOf(cluster, replica), connectedTo: replica };
    return {
      cluster,
      connectedTo: replica,
      problem: `the agent of ${cluster} is connected to replica ${replica} of the server; ask that one`,
    };
  }
  return {
    cluster,
    problem: `the agent of ${cluster} is not connected; meshctl cluster list says since when, its log says why`,
  };
}

/** How a cluster stands whose agent was asked in vain. */
export function troubled(
  cluster: string,
  { connectedTo }: { readonly connectedTo?: string },
  problem: string,
): ClusterAnswer {
  return { cluster, problem, ...(connectedTo === undefined ? {} : { connectedTo }) };
}

/** Why an agent that is connected here knows nothing of logs; undefined where it does. */
export function unableToLog(cluster: string, { capabilities }: Pick<InvokeCaller, 'capabilities'>): string | undefined {
  return capabilities.includes('logs')
    ? undefined
    : `the agent of ${cluster} knows nothing of logs and traffic; upgrade it`;
}
