/** Finds the agent to call for a cluster and the path to it, or the problem and its remedy. */
import { key } from '@meshrelay/relay-core';
import type { InvokeCaller, ReplicaAnswer } from '@meshrelay/relay-protocol';
import type { AgentCallers } from '../relay/agent-callers.ts';
import type { Connections } from '../relay/connections.ts';
import type { Fleet } from '../store/fleet.ts';

/** State of a cluster in an answer. */
export interface ClusterAnswer {
  readonly cluster: string;
  /** Replicas of its agent; those that did not answer contain the reason. */
  readonly replicas?: readonly ReplicaAnswer[];
  /** Why the data is missing or incomplete, and what to do. */
  readonly problem?: string;
  /** If there is a problem: the server replica that the agent is connected to, if it is another one. */
  readonly connectedTo?: string;
}

/** Calls one agent: over its stream to this replica, or through the replica that it is connected to. */
export type AgentCaller = Pick<InvokeCaller, 'call'>;

/** Calls agents through other replicas. */
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
  /** Access to the agents of other replicas; undefined without other replicas. */
  readonly onPeer?: PeerAgents | undefined;
}

/** The agent to call for a cluster's logs and traffic. */
export function lookupAgent(knowledge: AgentLookupContext, cluster: string): AgentLookup {
  const here = knowledge.agents.callerOf(cluster);
  const problem = here === undefined ? undefined : unableToLog(cluster, here);
  return problem === undefined ? agentCallerFor(knowledge, cluster) : { cluster, problem };
}

/** The agent of a cluster, whatever its capabilities. */
export function agentCallerFor(
  { fleet, connections, agents, onPeer }: AgentLookupContext,
  cluster: string,
): AgentLookup {
  const caller = agents.callerOf(cluster);
  if (caller !== undefined) return { caller };
  const facts = fleet.fleetState.clusters.get(key(cluster));
  if (facts === undefined)
    return {
      cluster,
      problem: `cluster ${cluster} does not exist; meshctl cluster list shows the registered clusters`,
    };
  if (facts.secretName !== undefined)
    return { cluster, problem: `the server reaches ${cluster} itself, so it has no agent that could answer` };
  const { replica, push } = connections.of(cluster);
  if (replica !== undefined && push) {
    if (onPeer !== undefined) return { caller: onPeer.callerOf(cluster, replica), connectedTo: replica };
    return {
      cluster,
      connectedTo: replica,
      problem: `the agent of ${cluster} is connected to replica ${replica} of the server; call that replica`,
    };
  }
  return {
    cluster,
    problem: `the agent of ${cluster} is not connected; meshctl cluster list shows since when, see its log for the cause`,
  };
}

/** State of a cluster whose agent did not answer. */
export function withProblem(
  cluster: string,
  { connectedTo }: { readonly connectedTo?: string },
  problem: string,
): ClusterAnswer {
  return { cluster, problem, ...(connectedTo === undefined ? {} : { connectedTo }) };
}

/** Why a connected agent cannot serve logs; undefined if it can. */
export function unableToLog(cluster: string, { capabilities }: Pick<InvokeCaller, 'capabilities'>): string | undefined {
  return capabilities.includes('logs')
    ? undefined
    : `the agent of ${cluster} does not support logs and traffic; upgrade it`;
}
