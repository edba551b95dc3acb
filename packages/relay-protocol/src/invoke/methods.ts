/** What a server may ask of an agent: names, arguments and results, for both ends. */

import type { LogBatch, LogSearch, LogTail } from './log-methods.ts';
import type { TrafficBatch } from './traffic-methods.ts';

/** How an agent stands, as it sees itself. */
export interface AgentState {
  readonly cluster: string;
  /** Name and version. */
  readonly program: string;
  /** Of its leader, who answers. */
  readonly term: number;
  /** The inputs of what is applied: `term/number` or `gone`, by component. */
  readonly applied: Readonly<Record<string, string>>;
  /** What it tells the server of. */
  readonly pushed: {
    readonly objects: number;
    readonly bytes: number;
    /** Objects that wait to be told. */
    readonly waiting: number;
    /** What is not known in full yet, and why. */
    readonly unknown: readonly string[];
  };
  /** What the server wants the cluster to have. */
  readonly outputs: {
    readonly desired: number;
    /** Whether it was told everything, so that what is not wanted may go. */
    readonly complete: boolean;
    /** Objects that somebody keeps changing, or that cannot be put right. */
    readonly contested: number;
  };
  /** Objects that did not get through, or that the cluster did not take, at most the first 50. */
  readonly refused: readonly AgentRejection[];
  readonly refusedCount: number;
  /** What the server named that it can do. */
  readonly serverCapabilities: readonly string[];
}

export interface AgentRejection {
  /** `kind namespace/name`. */
  readonly object: string;
  readonly code: string;
  readonly reason: string;
}

/** Every method there is. One that an agent has no handler for it refuses. */
export interface AgentMethods {
  /** The roots or the CA have changed: look now which are to be trusted. */
  readonly 'agent.trust': {
    readonly arguments: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, never>>;
  };
  readonly 'agent.state': { readonly arguments: Readonly<Record<string, never>>; readonly result: AgentState };
  /** What was logged lately and meets a query: entries oldest first, then a batch that says who answered. */
  readonly 'logs.search': { readonly arguments: LogSearch; readonly result: LogBatch };
  /** What is logged from now on and meets a query, until the reader goes. A slow reader loses entries and is told how many. */
  readonly 'logs.tail': { readonly arguments: LogTail; readonly result: LogBatch };
  /** Who called whom since each replica began to count. */
  readonly 'traffic.edges': { readonly arguments: Readonly<Record<string, never>>; readonly result: TrafficBatch };
}

export type AgentMethod = keyof AgentMethods;

/** Methods that go on as long as somebody reads. */
export const ENDLESS_METHODS: ReadonlySet<string> = new Set<AgentMethod>(['logs.tail']);
