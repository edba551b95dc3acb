/**
 * The simulation's own deletion guard: derives deletions that need approval from the desired state, without reading any
 * program's state.
 */

/**
 * Deletions up to this many objects, or this share of the cluster's objects, are not held. The larger limit applies.
 */
const FEW = 10;
const SHARE = 0.2;

export class Guard {
  readonly #isPresent: (cluster: string, id: string) => boolean;
  /** Number of desired objects per cluster. */
  readonly #expected = new Map<string, Set<string>>();
  /** Deleted objects since the last check, by cluster. */
  readonly #lost = new Map<string, string[]>();
  readonly #held = new Map<string, Set<string>>();

  /** @param isPresent whether a cluster has an object: an object that was never applied does not count as a deletion */
  constructor(isPresent: (cluster: string, id: string) => boolean) {
    this.#isPresent = isPresent;
  }

  /** Records that an object is desired (again). */
  expected(cluster: string, id: string): void {
    const known = this.#expected.get(cluster) ?? new Set();
    this.#expected.set(cluster, known.add(id));
    this.#held.get(cluster)?.delete(id);
  }

  /** Records that an object is no longer desired. */
  lost(cluster: string, id: string): void {
    this.#expected.get(cluster)?.delete(id);
    this.#lost.set(cluster, [...(this.#lost.get(cluster) ?? []), id]);
  }

  /**
   * Ends the processing of a change. @param isUsersDeletion whether the change deletes its outputs, and possibly the
   * reason for held deletions
   */
  check(isUsersDeletion: boolean): void {
    if (isUsersDeletion) this.#held.clear();
    else
      for (const [cluster, lost] of this.#lost) {
        const there = lost.filter((id) => this.#isPresent(cluster, id));
        const total = (this.#expected.get(cluster)?.size ?? 0) + lost.length;
        if (there.length > Math.max(FEW, Math.floor(total * SHARE)))
          this.#held.set(cluster, new Set([...(this.#held.get(cluster) ?? []), ...there]));
      }
    this.#lost.clear();
  }

  approve(cluster: string): void {
    this.#held.delete(cluster);
  }

  /** A user deleted a held object, so the guard no longer retains it. */
  deletedByHand(cluster: string, id: string): void {
    this.#held.get(cluster)?.delete(id);
  }

  holds(cluster: string, id: string): boolean {
    return this.#held.get(cluster)?.has(id) ?? false;
  }
}
