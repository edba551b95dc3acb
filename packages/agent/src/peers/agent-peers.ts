/**
 * The other replicas, for the leader: it discovers them, and maintains the keys with which they authenticate each
 * other.
 */

import {
  callPeer,
  type FindPeersOptions,
  findPeers,
  type Peer,
  type PeerGroup,
  type PeerKeyring,
} from '@meshrelay/peers';
import { AGENT_PEERS_SECRET } from '@meshrelay/relay-core';
import { RelayError } from '@meshrelay/relay-protocol';
import type { EnvoyAnswer, EnvoyQuestion } from '../data-plane/configuration/envoy-answers.ts';
import type { Peers } from '../observe/cluster-observer-options.ts';
import type { Answer, ObservedMethod, Observer, Query } from '../observe/observer.ts';

/** The replicas of one agent. */
export const AGENT_PEERS: PeerGroup = { secret: AGENT_PEERS_SECRET, name: 'agent-peers.meshrelay' };

/** The query about Envoys. */
export const ENVOYS = 'envoys.answered';

export class AgentPeers implements Peers {
  readonly #options: FindPeersOptions;
  readonly #keyring: PeerKeyring;

  constructor(options: FindPeersOptions, keyring: PeerKeyring) {
    this.#options = options;
    this.#keyring = keyring;
  }

  async find(): Promise<readonly Peer[]> {
    const peers = await findPeers(this.#options);
    if (peers.length > 0) await this.#keyring.upkeep();
    return peers;
  }

  observer(peer: Peer): Observer {
    return {
      ask: <M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal) =>
        this.#ask(peer, method, given, signal) as AsyncGenerator<Answer<M>>,
    };
  }

  /** ACK state of a replica's Envoys. @throws RelayError if the replica does not answer */
  async envoys(peer: Peer, given: EnvoyQuestion, signal: AbortSignal): Promise<EnvoyAnswer> {
    for await (const reply of this.#ask(peer, ENVOYS, given, signal)) return reply as EnvoyAnswer;
    throw new RelayError('RELAY_E_PROTOCOL', `replica ${peer.replica} answered nothing`);
  }

  #ask(peer: Peer, method: string, given: unknown, signal: AbortSignal): AsyncGenerator<unknown> {
    const { keys } = this.#keyring;
    if (keys === undefined) throw new Error('replicas can be called only after they are found');
    return callPeer(peer, keys, { method, given, signal });
  }
}
