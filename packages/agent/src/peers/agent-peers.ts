/** The other replicas, for the leader: it finds them, and keeps the Secret by which they know each other. */
import type { KubeConnection, Secrets } from '@meshrelay/kube';
import type { Peers } from '../observe/cluster-observer.ts';
import type { Observer } from '../observe/observer.ts';
import { findPeers, type Peer } from './find-peers.ts';
import { peerObserver } from './peer-client.ts';
import { isDue, makePeerKeys, PEERS_SECRET, type PeerKeys, readPeerKeys } from './peer-secret.ts';

export interface AgentPeersOptions {
  readonly connection: KubeConnection;
  readonly secrets: Pick<Secrets, 'read' | 'update'>;
  readonly namespace: string;
  readonly selector: string;
  readonly replica: string;
  readonly port: number;
  /** Whether this replica is a pod itself, so that it must be among those found. */
  readonly inCluster: boolean;
  /** @throws where this replica does not lead any more */
  readonly check: () => void;
  readonly now: () => Date;
}

export class AgentPeers implements Peers {
  readonly #options: AgentPeersOptions;
  #keys: PeerKeys | undefined;

  constructor(options: AgentPeersOptions) {
    this.#options = options;
  }

  async find(): Promise<readonly Peer[]> {
    const { peers, self } = await findPeers(this.#options);
    const { inCluster, replica, selector, namespace } = this.#options;
    if (inCluster && !self)
      throw new Error(
        `no pod of namespace ${namespace} with the labels ${selector} is this replica, ${replica}; set peers.selector to the labels of the agent's pods`,
      );
    if (peers.length > 0) await this.upkeep();
    return peers;
  }

  observer(peer: Peer): Observer {
    if (this.#keys === undefined) throw new Error('replicas are asked when they were found');
    return peerObserver(peer, this.#keys);
  }

  /** Reads the keys, and makes others where they are due. The only writer of them is the leader. @throws KubeError */
  async upkeep(): Promise<void> {
    const { secrets, now, check } = this.#options;
    const known = readPeerKeys((await secrets.read(PEERS_SECRET))?.data ?? {});
    if (known !== undefined && !isDue(known, now())) {
      this.#keys = known;
      return;
    }
    const made = await makePeerKeys(now());
    check();
    const stored = await secrets.update(PEERS_SECRET, (before) => (isDue(readPeerKeys(before), now()) ? made : before));
    this.#keys = readPeerKeys(stored.data);
  }
}
