/** What the observer of a cluster reads from: this replica and the others. */
import type { Peer } from '@meshrelay/peers';
import type { Observer } from './observer.ts';

/** The other replicas. */
export interface Peers {
  /** The current replicas. Rejects if they cannot be listed. */
  find(): Promise<readonly Peer[]>;
  /** Queries one of them. */
  observer(peer: Peer): Observer;
}

export interface ClusterObserverOptions {
  readonly replica: string;
  readonly own: Observer;
  readonly peers: Peers;
  /** Resolves after milliseconds, or when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Current time of day. */
  readonly now: () => Date;
}
