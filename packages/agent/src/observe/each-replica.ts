/** Queries this replica and every other one separately: a failing replica does not affect the others. */
import type { ReplicaAnswer } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer-options.ts';
import type { Answer, ObservedMethod, Query } from './observer.ts';

/** Timeout in milliseconds for the whole answer of another replica, for answers that end. */
const TIMEOUT_MS = 8_000;

/** Name under which a failure to list the replicas is reported. */
export const OTHERS = '(others)';

/**
 * @param take receives each reply
 * @returns the state of all replicas, with the reason for those that failed
 */
export async function callEachReplica<M extends Exclude<ObservedMethod, 'logs.tail'>>(
  { replica, own, peers }: ClusterObserverOptions,
  { method, given, signal }: { readonly method: M; readonly given: Query<M>; readonly signal: AbortSignal },
  take: (reply: Answer<M>) => void,
): Promise<ReplicaAnswer[]> {
  const read = async (name: string, replies: AsyncIterable<Answer<M>>): Promise<ReplicaAnswer> => {
    try {
      for await (const reply of replies) take(reply);
      return { replica: name };
    } catch (error) {
      signal.throwIfAborted();
      return { replica: name, problem: reasonOf(error) };
    }
  };
  const others = async (): Promise<ReplicaAnswer[]> => {
    let found: Awaited<ReturnType<typeof peers.find>>;
    try {
      found = await peers.find();
    } catch (error) {
      return [{ replica: OTHERS, problem: `the agent's replicas cannot be listed: ${reasonOf(error)}` }];
    }
    const late = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return Promise.all(found.map((peer) => read(peer.replica, peers.observer(peer).ask(method, given, late))));
  };
  const [mine, unmanaged] = await Promise.all([read(replica, own.ask(method, given, signal)), others()]);
  return [mine, ...unmanaged];
}

export function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  return name === 'TimeoutError' ? `it did not answer within ${TIMEOUT_MS / 1000} s` : message;
}
