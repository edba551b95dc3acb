/** One term of leadership: the fence of its writes, the limit of its requests, and its end. */
import { setTimeout } from 'node:timers';
import { Fence, FencedError } from '../apply/fence.ts';

/** State of the election for this replica. */
export interface Leadership {
  readonly term: number | undefined;
  validFor(): number;
}

export interface TermOptions {
  readonly number: number;
  readonly leadership: Leadership;
  /** Timeout of a request in milliseconds, so none outlives the Lease. */
  readonly requestTimeout: number;
  /** Called when the term cannot continue, for example after a newer term was observed. */
  readonly over: (reason: Error) => void;
  /** Called with a newer term that was observed, so the next one can be above it. */
  readonly outdated: (seen: number) => void;
}

/** Maximum wait for the current write when the term ends, in milliseconds. */
const LAST_WRITE = 2_000;

export class Term {
  readonly number: number;
  readonly fence: Fence;
  /** Creates the signal of a request to the API server that starts now. */
  readonly requestSignal: () => AbortSignal;
  /** Stops the term, because it cannot continue. */
  readonly stop: (reason: Error) => void;
  readonly #giveUp = new AbortController();

  constructor({ number, leadership, requestTimeout, over, outdated }: TermOptions) {
    this.number = number;
    this.stop = over;
    this.fence = new Fence({
      term: number,
      currentTerm: () => leadership.term,
      validFor: () => leadership.validFor(),
      onOutdated: (seen) => {
        outdated(seen);
        over(new FencedError(`term ${seen} was seen in the cluster, this is term ${number}`));
      },
    });
    this.requestSignal = () => AbortSignal.any([AbortSignal.timeout(requestTimeout), this.#giveUp.signal]);
  }

  /** Ends the term: requests in flight get a moment, then they are aborted. */
  endSoon(): void {
    setTimeout(() => this.#giveUp.abort(new Error('the agent stops')), LAST_WRITE).unref();
  }
}
