/** Where fencing terms come from. */

/**
 * Gives out terms: integers of which a later one is always larger, whoever asks. A write that carries its term can
 * be refused once a larger one has been seen, which a Lease alone cannot do. A leader whose writes are refused so (an
 * acquisition that came to nothing, or a deleted Lease, can raise the term past it) lets its work reject: leadership is
 * contended for anew and a term of its own raised.
 */
export interface TermStore {
  /**
   * Raises the stored term by compare-and-swap and resolves with it. Called after the Lease was acquired and before
   * anything acts on it; rejects soon after `signal` aborts.
   */
  raise(signal: AbortSignal): Promise<number>;
}
