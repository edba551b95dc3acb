/** Fencing check before each write: whether this replica may still write. */

/** This replica lost leadership, observed a newer term, or is stopping: it may not write any more. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

export interface FenceOptions {
  /** Term of this leader. */
  readonly term: number;
  /** Term of the elector; undefined when it does not lead. */
  readonly currentTerm: () => number | undefined;
  /** Milliseconds during which no other replica can become leader. */
  readonly validFor: () => number;
  /** Called when a newer term is observed: this leader term has ended, whatever the Lease contains. */
  readonly onOutdated: (seen: number) => void;
}

/** Guards the writes of one leader term. */
export class Fence {
  readonly #options: FenceOptions;
  #highest = 0;

  constructor(options: FenceOptions) {
    this.#options = options;
  }

  get term(): number {
    return this.#options.term;
  }

  /** Records a term that was observed in the cluster. */
  saw(term: number): void {
    if (term <= this.#highest) return;
    this.#highest = term;
    if (term > this.#options.term) this.#options.onOutdated(term);
  }

  /** Call in the same tick in which a write is sent. @throws FencedError */
  check(): void {
    const { term, currentTerm, validFor } = this.#options;
    if (this.#highest > term) throw new FencedError(`term ${this.#highest} has begun, this is term ${term}`);
    if (currentTerm() !== term || validFor() <= 0)
      throw new FencedError(`the Lease of term ${term} may have passed to another replica`);
  }
}
