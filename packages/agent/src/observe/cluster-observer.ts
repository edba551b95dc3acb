/**
 * Answers for the whole cluster: those of this replica and of all others, with the reason for each replica that does
 * not answer.
 */
import type { LogSearch, LogTail } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer-options.ts';
import { edgesOfAll } from './edges-of-all.ts';
import type { Answer, ObservedMethod, Observer, Query } from './observer.ts';
import { searchAll } from './search-all.ts';
import { tailAll } from './tail-all.ts';

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
