/** What a row of the fault matrix is. */
import type { Trial } from './trial.ts';

/** A goal: how long recovery may take. */
export interface Figure {
  /** What is measured, such as `new leader`. */
  readonly what: string;
  /** Milliseconds, in production. */
  readonly limit: number;
}

export interface Row {
  /** As in the fault matrix, such as `F1`. */
  readonly id: string;
  readonly title: string;
  /** What is done. */
  readonly inject: string;
  /** What must be seen. */
  readonly expect: string;
  /** `shared`: it needs three servers on one Redis; `direct`: those, and no agents. One server without a Redis unless told. */
  readonly fleet?: 'shared' | 'direct';
  /** How soon it must be over. The invariants hold in every row. */
  readonly figure?: Figure | readonly Figure[];
  /** Does it, watches, and resolves when recovery was seen. Whoever runs rows heals the fleet afterwards and judges. @throws Error saying what was expected */
  run(trial: Trial): Promise<void>;
}
