/** The last look before each write: whether this replica may still write. */

/** Leadership was lost, a newer term was seen, or the replica stops: nothing may be written any more. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

export interface FenceOptions {
  /** The term of this reign. */
  readonly term: number;
  /** The elector's term; undefined when it does not lead. */
  readonly currentTerm: () => number | undefined;
  /** Milliseconds for which nobody else can have become leader. */
  readonly validFor: () => number;
  /** A newer term was seen: this reign is over, whatever the Lease says. */
  readonly onOutdated: (seen: number) => void;
}

/** Guards the writes of one reign. */
export class Fence {
  readonly #options: FenceOptions;
  #highest = 0;

  constructor(options: FenceOptions) {
    this.#options = options;
  }

  get term(): number {
    return this.#options.term;
  }

  /** Takes note of a term that was seen in the cluster. */
  saw(term: number): void {
    if (term <= this.#highest) return;
    this.#highest = term;
    if (term > this.#options.term) this.#options.onOutdated(term);
  }

  /** Call in the same tick as a write is sent. @throws FencedError */
  check(): void {
    const { term, currentTerm, validFor } = this.#options;
    if (this.#highest > term) throw new FencedError(`term ${this.#highest} has begun, this is term ${term}`);
    if (currentTerm() !== term || validFor() <= 0)
      throw new FencedError(`the Lease of term ${term} may have passed to another replica`);
  }
}
