/** Who answers what is asked about access logs and traffic: this replica, another one, or all of them together. */
import type { AgentMethods } from '@meshrelay/relay-protocol';

export type ObservedMethod = 'logs.search' | 'logs.tail' | 'traffic.edges';

export type Answer<M extends ObservedMethod> = AgentMethods[M]['result'];
export type Query<M extends ObservedMethod> = AgentMethods[M]['arguments'];

export interface Observer {
  /**
   * Answers in the replies of the relay's method; the first of a tail comes at once. Ends, or throws the signal's reason, when the signal
   * aborts, whatever it waits for.
   */
  ask<M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal): AsyncIterable<Answer<M>>;
}
