/** Caches the list of replicas for many calls. */
import { RelayError } from '@meshrelay/relay-protocol';
import { type FindPeersOptions, findPeers, type Peer } from './find-peers.ts';

export interface PeerDirectoryOptions extends FindPeersOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Milliseconds for which a list is valid; and before a list that lacks a replica or is wrong may be replaced. */
const FRESH = { found: 5_000, doubted: 500 };

export class PeerDirectory {
  readonly #options: PeerDirectoryOptions;
  #listed: { readonly at: number; readonly peers: Promise<readonly Peer[]> } | undefined;
  #doubted = false;

  constructor(options: PeerDirectoryOptions) {
    this.#options = options;
  }

  /** @throws KubeError, Error, and RelayError RELAY_E_UNAVAILABLE if no pod has this name */
  async named(replica: string): Promise<Peer> {
    for (const fresh of [FRESH.found, FRESH.doubted]) {
      const found = (await this.#list(fresh)).find((peer) => peer.replica === replica);
      if (found !== undefined) return found;
    }
    const { namespace, selector } = this.#options;
    throw new RelayError(
      'RELAY_E_UNAVAILABLE',
      `no pod ${replica} with an address is among those of namespace ${namespace} with the labels ${selector}`,
    );
  }

  /** A replica was not at its listed address. */
  uncertainty(): void {
    this.#doubted = true;
  }

  /** Concurrent callers share one list; a failed one is not cached. */
  #list(fresh: number): Promise<readonly Peer[]> {
    const at = this.#options.now();
    const age = this.#doubted ? FRESH.doubted : fresh;
    if (this.#listed !== undefined && at - this.#listed.at < age) return this.#listed.peers;
    const listed = { at, peers: findPeers(this.#options) };
    this.#listed = listed;
    this.#doubted = false;
    listed.peers.catch(() => {
      if (this.#listed === listed) this.#listed = undefined;
    });
    return listed.peers;
  }
}
