/**
 * What was edited when many outputs were lost. Where all of that is seen to go afterwards, the edits were a part of its going, and so was the loss: Deployments go
 * before their Services, so a Service is first seen without pods.
 */
import type { Key } from '@meshrelay/relay-core';

/** Outputs of a cluster that were lost in one commit and are held. */
interface DeletionCandidate {
  readonly cluster: string;
  readonly outputs: ReadonlySet<Key>;
  /** What changed in that commit. */
  readonly edited: readonly Key[];
  /** What of it was not seen to go since. */
  readonly left: Set<Key>;
}

/** What is proven to be wanted. */
export type ConfirmedDeletion = Pick<DeletionCandidate, 'cluster' | 'outputs'>;

export class EditThenDelete {
  readonly #candidates = new Set<DeletionCandidate>();
  readonly #byInput = new Map<Key, Set<DeletionCandidate>>();

  /** Whether anything waits for what was edited to go. */
  get isWaiting(): boolean {
    return this.#candidates.size > 0;
  }

  /** Outputs were lost in a commit of these inputs, and are held. */
  note(cluster: string, outputs: ReadonlySet<Key>, edited: readonly Key[]): void {
    const candidate: DeletionCandidate = { cluster, outputs, edited, left: new Set(edited) };
    this.#candidates.add(candidate);
    for (const input of edited) this.#of(input).add(candidate);
  }

  /** An input is there, or is gone without anybody having seen it go. */
  stays(input: Key): void {
    for (const candidate of this.#byInput.get(input) ?? []) candidate.left.add(input);
  }

  /** An input was seen to go. @returns the losses that were waiting for nothing else */
  goes(input: Key): readonly ConfirmedDeletion[] {
    const proven: DeletionCandidate[] = [];
    for (const candidate of this.#byInput.get(input) ?? [])
      if (candidate.left.delete(input) && candidate.left.size === 0) proven.push(candidate);
    return proven;
  }

  /** Nothing of a cluster is held any more. */
  forget(cluster: string): void {
    for (const candidate of this.#candidates) {
      if (candidate.cluster !== cluster) continue;
      this.#candidates.delete(candidate);
      for (const input of candidate.edited) this.#leave(input, candidate);
    }
  }

  #leave(input: Key, candidate: DeletionCandidate): void {
    const candidates = this.#byInput.get(input);
    if (candidates?.delete(candidate) && candidates.size === 0) this.#byInput.delete(input);
  }

  #of(input: Key): Set<DeletionCandidate> {
    const known = this.#byInput.get(input) ?? new Set();
    this.#byInput.set(input, known);
    return known;
  }
}
