/**
 * Inputs that were edited when many outputs were lost. If all of them are deleted afterwards, the edits were part of
 * the deletion, and deleting the outputs is intended. For example, Deployments are deleted before their Services, so a
 * Service is first seen without pods.
 */
import type { Key } from '@meshrelay/relay-core';

/** Outputs of a cluster that were lost in one commit and are held. */
interface DeletionCandidate {
  readonly cluster: string;
  readonly outputs: ReadonlySet<Key>;
  /** Inputs that changed in that commit. */
  readonly edited: readonly Key[];
  /** Those of them that were not deleted since. */
  readonly left: Set<Key>;
}

/** Deletions that are proven to be intended. */
export type ConfirmedDeletion = Pick<DeletionCandidate, 'cluster' | 'outputs'>;

export class EditThenDelete {
  readonly #candidates = new Set<DeletionCandidate>();
  readonly #byInput = new Map<Key, Set<DeletionCandidate>>();

  /** Whether any deletion waits for its edited inputs to be deleted. */
  get isWaiting(): boolean {
    return this.#candidates.size > 0;
  }

  /** Outputs were lost in a commit of these inputs, and are held. */
  note(cluster: string, outputs: ReadonlySet<Key>, edited: readonly Key[]): void {
    const candidate: DeletionCandidate = { cluster, outputs, edited, left: new Set(edited) };
    this.#candidates.add(candidate);
    for (const input of edited) this.#of(input).add(candidate);
  }

  /** An input exists, or is gone without an observed deletion. */
  stays(input: Key): void {
    for (const candidate of this.#byInput.get(input) ?? []) candidate.left.add(input);
  }

  /** An input's deletion was observed. @returns the outputs that waited for nothing else */
  goes(input: Key): readonly ConfirmedDeletion[] {
    const proven: DeletionCandidate[] = [];
    for (const candidate of this.#byInput.get(input) ?? [])
      if (candidate.left.delete(input) && candidate.left.size === 0) proven.push(candidate);
    return proven;
  }

  /** A cluster has no held deletions any more. */
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
