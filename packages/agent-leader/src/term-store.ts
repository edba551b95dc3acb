/** Source of fencing terms. */

/**
 * Issues terms: integers that increase with every call, across all callers. The cluster can reject a write with an
 * older term once it has observed a newer one, which a Lease alone cannot do. The term can pass a leader that is still
 * active, through an acquisition that failed later or a deleted Lease. The leader's writes are then rejected and its
 * work must reject; the elector contends again and raises a new term.
 */
export interface TermStore {
  /**
   * Raises the stored term by compare-and-swap and resolves with it. The elector calls it after it acquired the Lease
   * and before the work starts. Rejects soon after `signal` aborts.
   */
  raise(signal: AbortSignal): Promise<number>;
}
