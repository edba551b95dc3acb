/** Methods that a server may call on an agent: names, arguments and results, for both ends. */

import type { LogBatch, LogSearch, LogTail } from './log-methods.ts';
import type { TrafficBatch } from './traffic-methods.ts';

/** State of an agent, as it reports itself. */
export interface AgentState {
  readonly cluster: string;
  /** Name and version. */
  readonly program: string;
  /** Term of its leader, which answers. */
  readonly term: number;
  /** The inputs of the applied outputs: `term/number` or `gone`, by component. */
  readonly applied: Readonly<Record<string, string>>;
  /** State of its push stream. */
  readonly pushed: {
    readonly objects: number;
    readonly bytes: number;
    /** Objects that wait to be sent. */
    readonly waiting: number;
    /** Kinds that are not synced yet, and why. */
    readonly unknown: readonly string[];
  };
  /** The desired outputs of the cluster. */
  readonly outputs: {
    readonly desired: number;
    /** Whether the agent has the complete output set, so that surplus objects may be deleted. */
    readonly complete: boolean;
    /** Objects that another writer keeps changing, or that cannot be repaired. */
    readonly contested: number;
  };
  /** Objects that the relay or the cluster rejected, at most the first 50. */
  readonly rejected: readonly AgentRejection[];
  readonly rejectedCount: number;
  /** The server's capabilities. */
  readonly serverCapabilities: readonly string[];
}

export interface AgentRejection {
  /** `kind namespace/name`. */
  readonly object: string;
  readonly code: string;
  readonly reason: string;
}

/** All methods. An agent rejects those without a handler. */
export interface AgentMethods {
  /** The roots or the CA changed: fetch the trusted roots now. */
  readonly 'agent.trust': {
    readonly arguments: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, never>>;
  };
  readonly 'agent.state': { readonly arguments: Readonly<Record<string, never>>; readonly result: AgentState };
  /** Recent entries that match a query: oldest first, then a batch with the answering replicas. */
  readonly 'logs.search': { readonly arguments: LogSearch; readonly result: LogBatch };
  /** New entries that match a query, until the reader stops. A slow reader loses entries and gets their number. */
  readonly 'logs.tail': { readonly arguments: LogTail; readonly result: LogBatch };
  /** Calls between workloads since each replica started counting. */
  readonly 'traffic.edges': { readonly arguments: Readonly<Record<string, never>>; readonly result: TrafficBatch };
}

export type AgentMethod = keyof AgentMethods;

/** Methods that continue as long as the reader reads. */
export const ENDLESS_METHODS: ReadonlySet<string> = new Set<AgentMethod>(['logs.tail']);
