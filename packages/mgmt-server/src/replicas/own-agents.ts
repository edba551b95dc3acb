/** Serves other replicas with the answers of the agents connected to this one. No call is forwarded twice. */
import type { PeerAnswers } from '@meshrelay/peers';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { unableToLog } from '../observe/lookup-agent.ts';
import type { AgentCallers } from '../relay/agent-callers.ts';
import { type ForwardedCall, type ForwardedMethod, isForwarded, readForwardedCall } from './forwarded-call.ts';

export interface OwnAgentsOptions {
  readonly replica: string;
  readonly agents: Pick<AgentCallers, 'callerOf'>;
  readonly logger: Logger;
}

export class OwnAgents implements PeerAnswers {
  readonly #options: OwnAgentsOptions;

  constructor(options: OwnAgentsOptions) {
    this.#options = options;
  }

  knows(method: string): boolean {
    return isForwarded(method);
  }

  answer(method: string, given: unknown, signal: AbortSignal): AsyncIterable<unknown> {
    if (!isForwarded(method)) throw new TypeError(`no handler for ${method}`);
    return this.#answer(method, readForwardedCall(method, given), signal);
  }

  /** The stream determines the cluster: entries are attributed to it, as for this replica's own readers. */
  async *#answer(
    method: ForwardedMethod,
    { id, cluster, timeout, given }: ForwardedCall,
    signal: AbortSignal,
  ): AsyncGenerator<unknown> {
    const { replica, agents, logger } = this.#options;
    logger.debug('a call of another replica', { id, method, cluster });
    const caller = agents.callerOf(cluster);
    if (caller === undefined)
      throw new RelayError('RELAY_E_UNAVAILABLE', `the agent of ${cluster} is not connected to replica ${replica}`);
    const unable = method === 'agent.state' ? undefined : unableToLog(cluster, caller);
    if (unable !== undefined) throw new RelayError('RELAY_E_UNIMPLEMENTED', unable);
    // The agent parses it, as the parameters of every call.
    yield* caller.call(method, given as never, { timeout, signal, credits: 2 });
  }
}
