/** Agents whose answers about logs and traffic a test sets, over the streams' own state machines. */
import {
  type AgentState,
  type Handlers,
  InvokeResponder,
  type LogBatch,
  type LogSearch,
  type LogTail,
  type TrafficBatch,
} from '@meshrelay/relay-protocol';
import { assert } from '@meshrelay/testing';
import { AgentCallers } from '../../src/relay/agent-callers.ts';

export interface LogAnswers {
  search?(given: LogSearch): AsyncIterable<LogBatch>;
  tail?(given: LogTail, signal: AbortSignal): AsyncIterable<LogBatch>;
  edges?(): AsyncIterable<TrafficBatch>;
  state?(): AgentState;
}

export class LoggingAgents {
  readonly callers: AgentCallers = new AgentCallers();

  /** Opens a cluster's invoke stream. @returns the function that closes it */
  connect(cluster: string, answers: LogAnswers, capabilities: readonly string[] = ['logs']): () => void {
    const { search, tail, edges, state } = answers;
    const handlers: Handlers = {
      ...(search && { 'logs.search': { read: (given) => given as LogSearch, run: (given) => search(given) } }),
      ...(tail && {
        'logs.tail': { read: (given) => given as LogTail, run: (given, { signal }) => tail(given, signal) },
      }),
      ...(state && { 'agent.state': { read: () => ({}), run: () => state() } }),
      ...(edges && { 'traffic.edges': { read: () => ({}), run: () => edges() } }),
    };
    const caller = this.callers.open({ cluster });
    const agent = new InvokeResponder({ cluster, term: 1, handlers, capabilities });
    const pass = (): void =>
      queueMicrotask(() => {
        for (let up = agent.next(); up !== undefined; up = agent.next()) caller.receive(up);
        for (let down = caller.next(); down !== undefined; down = caller.next()) agent.receive(down);
      });
    for (const machine of [caller, agent])
      machine.drive({ ready: pass, fail: (error) => assert.unreachable(error.message) });
    pass();
    return () => {
      agent.end();
      caller.end();
    };
  }
}

/** Batches one after the other. */
export async function* batches<T>(...all: readonly T[]): AsyncGenerator<T> {
  for (const batch of all) yield await Promise.resolve(batch);
}

/** An entry as an agent sends it, with the given cluster. */
export function logged(path: string, second: number, cluster = 'c1', more: object = {}): Record<string, unknown> {
  const workload = { name: 'reviews', namespace: 'bookinfo', cluster };
  const time = new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
  return { time, cluster, workload, direction: 'inbound', destination: workload, path, status: 200, ...more };
}
