/** Replicas that call each other, with keys of one agent. */
import { callPeer, makePeerKeys, type Peer, type PeerKeys, PeerServer, readPeerKeys } from '@meshrelay/peers';
import type { Answer, ObservedMethod, Observer, Query } from '../../src/observe/observer.ts';
import { AGENT_PEERS } from '../../src/peers/agent-peers.ts';
import { observedAnswers } from '../../src/peers/observed-answers.ts';

const keys = readPeerKeys(AGENT_PEERS, await makePeerKeys(AGENT_PEERS, new Date())) as PeerKeys;

/** Starts a replica's server for the others. */
export async function servePeer(
  replica: string,
  observer: Observer,
): Promise<{ readonly server: PeerServer; readonly peer: Peer }> {
  const listen = { host: '127.0.0.1', port: 0 };
  const answers = observedAnswers(observer);
  const server = await PeerServer.start({ listen, replica, answers, onFailed: () => undefined });
  server.use(keys);
  return { server, peer: { replica, address: '127.0.0.1', port: server.port } };
}

/** Calls one replica. */
export function peerOf(peer: Peer): Observer {
  return {
    ask: <M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal) =>
      callPeer(peer, keys, { method, given, signal }) as AsyncGenerator<Answer<M>>,
  };
}
