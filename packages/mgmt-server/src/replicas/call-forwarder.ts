/** Calls agents that are connected to other replicas of the server, through those replicas. */
import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { errorDetails } from '@meshrelay/host';
import { callPeer, type PeerDirectory, PeerFailure, type PeerKeys } from '@meshrelay/peers';
import {
  type After,
  type AgentMethod,
  type AgentMethods,
  type CallOptions,
  RelayError,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type AgentCaller, type AgentLookupContext, agentCallerFor, type PeerAgents } from '../observe/lookup-agent.ts';
import type { ForwardedCall } from './forwarded-call.ts';

export interface CallForwarderOptions {
  readonly knowledge: Omit<AgentLookupContext, 'onPeer'>;
  /** Finds the other replicas. */
  readonly directory: Pick<PeerDirectory, 'named' | 'uncertainty'>;
  /** Reused between calls. */
  readonly connections: Agent;
  /** The present keys; undefined before there are any. */
  readonly keys: () => PeerKeys | undefined;
  /** Resolves after milliseconds, or when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly after: After;
  /** Counts results of calls. */
  readonly counted: (result: ForwardResult) => void;
  readonly logger: Logger;
}

/**
 * Answered completely, or until the reader stopped; rejected by the other replica or the agent; the other replica was
 * not reached.
 */
export type ForwardResult = 'answered' | 'failed' | 'unreached';

/**
 * Lookups of an agent that has just left its announced replica, with the milliseconds before each. Replicas announce
 * changes within some hundred milliseconds.
 */
const LOOKUPS = 4;
const PAUSE = 500;
/** Milliseconds in addition to the call's own timeout, which the other replica enforces, before this one gives up. */
const GRACE = 2_000;

type Replies<M extends AgentMethod> = AsyncGenerator<AgentMethods[M]['result']>;

export class CallForwarder implements PeerAgents {
  readonly #options: CallForwarderOptions;
  /** The last problem on the path to each replica: a long stream calls again and again. */
  readonly #problems = new Map<string, string>();

  constructor(options: CallForwarderOptions) {
    this.#options = options;
  }

  callerOf(cluster: string, replica: string): AgentCaller {
    return { call: (method, given, options) => this.#call({ cluster, replica }, method, given, options) };
  }

  /** Follows an agent that moves before its first reply: to another replica, or to this one. */
  async *#call<M extends AgentMethod>(
    { cluster, replica: first }: { readonly cluster: string; readonly replica: string },
    method: M,
    given: AgentMethods[M]['arguments'],
    options: CallOptions,
  ): Replies<M> {
    const { knowledge, sleep } = this.#options;
    let replica = first;
    for (let check = 1; ; check++) {
      let begun = false;
      try {
        for await (const reply of this.#ask(cluster, replica, method, given, options)) {
          begun = true;
          yield reply;
        }
        return;
      } catch (error) {
        if (begun || check === LOOKUPS || !hasLeft(error)) throw error;
      }
      await sleep(PAUSE, options.signal);
      options.signal?.throwIfAborted();
      const where = agentCallerFor(knowledge, cluster);
      if ('caller' in where) return yield* where.caller.call(method, given, options);
      if (where.connectedTo === undefined) throw new RelayError('RELAY_E_UNAVAILABLE', where.problem);
      replica = where.connectedTo;
    }
  }

  /** Calls through one replica only. */
  async *#ask<M extends AgentMethod>(
    cluster: string,
    replica: string,
    method: M,
    given: AgentMethods[M]['arguments'],
    { timeout, signal }: CallOptions,
  ): Replies<M> {
    const { directory, connections, keys, after, counted, logger } = this.#options;
    const id = randomUUID();
    const question: ForwardedCall = { id, cluster, timeout, given };
    const late = new AbortController();
    const stop = after(timeout + GRACE, () =>
      late.abort(new RelayError('RELAY_E_TIMEOUT', `replica ${replica} of the server did not answer in time`)),
    );
    const both = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    logger.debug('a call is forwarded', { id, method, cluster, replica });
    let result: ForwardResult = 'answered';
    try {
      const peer = await directory.named(replica);
      const own = keys();
      if (own === undefined) throw new Error('the keys of the replicas are not known yet');
      const request = { method, given: question, signal: both, connections };
      for await (const reply of callPeer(peer, own, request) as Replies<M>) {
        this.#problems.delete(replica);
        yield reply;
      }
    } catch (error) {
      signal?.throwIfAborted();
      result = error instanceof PeerFailure ? 'failed' : 'unreached';
      logger.debug('a forwarded call failed', { id, method, cluster, replica, error });
      if (error instanceof PeerFailure) throw error;
      directory.uncertainty();
      throw new RelayError('RELAY_E_UNAVAILABLE', this.#unreached(cluster, replica, error), {
        next: 'Call that replica; the log of this one has the cause.',
        cause: error,
      });
    } finally {
      stop();
      counted(result);
    }
  }

  #unreached(cluster: string, replica: string, error: unknown): string {
    const { reason, next } = errorDetails(error);
    if (this.#problems.get(replica) !== reason)
      this.#options.logger.warn('another replica of the server cannot be called', { replica, reason, next });
    this.#problems.set(replica, reason);
    return `the agent of ${cluster} is connected to replica ${replica} of the server, which cannot be called from here (${reason})`;
  }
}

/** Another replica reports that the agent is not there: it may have moved. */
function hasLeft(error: unknown): boolean {
  return error instanceof PeerFailure && error.code === 'RELAY_E_UNAVAILABLE';
}
