/**
 * ACK state of the Envoys on every replica. A replica that does not answer is listed and does not affect the others.
 */
import type { Peer } from '@meshrelay/peers';
import type { ReplicaEnvoys } from '../data-plane/configuration/acknowledgements.ts';
import type { EnvoyAnswer, EnvoyQuestion } from '../data-plane/configuration/envoy-answers.ts';
import { OTHERS } from '../observe/each-replica.ts';
import type { AgentPeers } from './agent-peers.ts';

export interface ReplicaQuestion {
  readonly replica: string;
  /** This replica's own answer; undefined while it has none. */
  readonly own: () => EnvoyAnswer | undefined;
  /** Undefined if this replica is alone. */
  readonly peers: Pick<AgentPeers, 'find' | 'envoys'> | undefined;
  readonly question: EnvoyQuestion;
  readonly signal: AbortSignal;
}

/** Timeout in milliseconds for another replica's answer. */
const ANSWER_WITHIN = 5_000;

export async function askReplicas({
  replica,
  own,
  peers,
  question,
  signal,
}: ReplicaQuestion): Promise<readonly ReplicaEnvoys[]> {
  const answer = own();
  const mine = { replica, ...(answer === undefined ? {} : { answer }) };
  if (peers === undefined) return [mine];
  const late = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN)]);
  const ask = async (peer: Peer): Promise<ReplicaEnvoys> => {
    try {
      return { replica: peer.replica, answer: await peers.envoys(peer, question, late) };
    } catch {
      signal.throwIfAborted();
      return { replica: peer.replica };
    }
  };
  const found = await findPeers(peers, signal);
  return found === undefined ? [mine, { replica: OTHERS }] : [mine, ...(await Promise.all(found.map(ask)))];
}

/** Undefined if they cannot be listed. */
async function findPeers(peers: Pick<AgentPeers, 'find'>, signal: AbortSignal): Promise<readonly Peer[] | undefined> {
  try {
    return await peers.find();
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
