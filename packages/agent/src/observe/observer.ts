/** Answers queries for access logs and traffic: of this replica, of another one, or of all together. */
import type { AgentMethods } from '@meshrelay/relay-protocol';

export type ObservedMethod = 'logs.search' | 'logs.tail' | 'traffic.edges';

export type Answer<M extends ObservedMethod> = AgentMethods[M]['result'];
export type Query<M extends ObservedMethod> = AgentMethods[M]['arguments'];

export interface Observer {
  /**
   * Answers with the replies of the relay's method; the first reply of a tail comes at once. Ends, or throws the
   * signal's reason, when the signal aborts, even while it waits.
   */
  ask<M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal): AsyncIterable<Answer<M>>;
}
