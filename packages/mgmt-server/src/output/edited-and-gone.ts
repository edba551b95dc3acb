/**
 * What was edited when many outputs were lost. Where all of that is seen to go afterwards, the edits were a part of its going, and so was the loss: Deployments go
 * before their Services, so a Service is first seen without pods.
 */
import type { Key } from '@meshrelay/relay-core';

/** Outputs of a cluster that were lost in one commit and are held. */
interface Loss {
  readonly cluster: string;
  readonly outputs: ReadonlySet<Key>;
  /** What changed in that commit. */
  readonly edited: readonly Key[];
  /** What of it was not seen to go since. */
  readonly left: Set<Key>;
}

/** What is proven to be wanted. */
export type ProvenLoss = Pick<Loss, 'cluster' | 'outputs'>;

export class EditedAndGone {
  readonly #losses = new Set<Loss>();
  readonly #byInput = new Map<Key, Set<Loss>>();

  /** Whether anything waits for what was edited to go. */
  get isWaiting(): boolean {
    return this.#losses.size > 0;
  }

  /** Outputs were lost in a commit of these inputs, and are held. */
  note(cluster: string, outputs: ReadonlySet<Key>, edited: readonly Key[]): void {
    const loss: Loss = { cluster, outputs, edited, left: new Set(edited) };
    this.#losses.add(loss);
    for (const input of edited) this.#of(input).add(loss);
  }

  /** An input is there, or is gone without anybody having seen it go. */
  stays(input: Key): void {
    for (const loss of this.#byInput.get(input) ?? []) loss.left.add(input);
  }

  /** An input was seen to go. @returns the losses that were waiting for nothing else */
  goes(input: Key): readonly ProvenLoss[] {
    const proven: Loss[] = [];
    for (const loss of this.#byInput.get(input) ?? [])
      if (loss.left.delete(input) && loss.left.size === 0) proven.push(loss);
    return proven;
  }

  /** Nothing of a cluster is held any more. */
  forget(cluster: string): void {
    for (const loss of this.#losses) {
      if (loss.cluster !== cluster) continue;
      this.#losses.delete(loss);
      for (const input of loss.edited) this.#leave(input, loss);
    }
  }

  #leave(input: Key, loss: Loss): void {
    const losses = this.#byInput.get(input);
    if (losses?.delete(loss) && losses.size === 0) this.#byInput.delete(input);
  }

  #of(input: Key): Set<Loss> {
    const known = this.#byInput.get(input) ?? new Set();
    this.#byInput.set(input, known);
    return known;
  }
}
