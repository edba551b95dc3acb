/** What the simulation knows of losses that must wait for somebody's approval: judged on what was wanted, without any program's opinion. */

/** Nothing is held for losses up to this many objects, or this share of what the cluster has, whichever is more. */
const FEW = 10;
const SHARE = 0.2;

export class Guard {
  readonly #isPresent: (cluster: string, id: string) => boolean;
  /** How many objects each cluster is to have. */
  readonly #expected = new Map<string, Set<string>>();
  /** What went since the last judgement, by cluster. */
  readonly #lost = new Map<string, string[]>();
  readonly #held = new Map<string, Set<string>>();

  /** @param isPresent whether a cluster has an object: what is lost before it ever got there is none of the loss */
  constructor(isPresent: (cluster: string, id: string) => boolean) {
    this.#isPresent = isPresent;
  }

  /** An object is wanted (again). */
  expected(cluster: string, id: string): void {
    const known = this.#expected.get(cluster) ?? new Set();
    this.#expected.set(cluster, known.add(id));
    this.#held.get(cluster)?.delete(id);
  }

  /** An object is wanted no more. */
  lost(cluster: string, id: string): void {
    this.#expected.get(cluster)?.delete(id);
    this.#lost.set(cluster, [...(this.#lost.get(cluster) ?? []), id]);
  }

  /** A change has been taken up. @param isUsersDeletion whether it takes its outputs with it, and with what was held perhaps its reason */
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

  /** Somebody has deleted what is held himself: so there is nothing to keep. */
  deletedByHand(cluster: string, id: string): void {
    this.#held.get(cluster)?.delete(id);
  }

  holds(cluster: string, id: string): boolean {
    return this.#held.get(cluster)?.has(id) ?? false;
  }
}
