/** The whole cluster's answers: this replica's and those of all others, with a word on each replica that does not answer. */

import type { Peer } from '@meshrelay/peers';
import type { LogSearch, LogTail } from '@meshrelay/relay-protocol';
import { edgesOfAll } from './edges-of-all.ts';
import type { Answer, ObservedMethod, Observer, Query } from './observer.ts';
import { searchAll } from './search-all.ts';
import { tailAll } from './tail-all.ts';

/** The other replicas. */
export interface Peers {
  /** Those there are now. Rejects where that cannot be found out. */
  find(): Promise<readonly Peer[]>;
  /** Asks one of them. */
  observer(peer: Peer): Observer;
}

export interface ClusterObserverOptions {
  /** This replica's name. */
  readonly replica: string;
  readonly own: Observer;
  readonly peers: Peers;
  /** Resolves after milliseconds, or when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** The time of day. */
  readonly now: () => Date;
}

export class ClusterObserver implements Observer {
  readonly #options: ClusterObserverOptions;

  constructor(options: ClusterObserverOptions) {
    this.#options = options;
  }

  ask<M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal): AsyncIterable<Answer<M>> {
    const answer = (): AsyncIterable<unknown> => {
      switch (method) {
        case 'logs.search':
          return searchAll(this.#options, given as LogSearch, signal);
        case 'logs.tail':
          return tailAll(this.#options, given as LogTail, signal);
        default:
          return edgesOfAll(this.#options, signal);
      }
    };
    return answer() as AsyncIterable<Answer<M>>;
  }
}
