/** A row of the fault matrix. */
import type { Trial } from './trial.ts';

/** A figure: maximum recovery time. */
export interface Figure {
  /** Name of the measurement, such as `new leader`. */
  readonly what: string;
  /** Milliseconds, in production. */
  readonly limit: number;
}

export interface Row {
  /** As in the fault matrix, such as `F1`. */
  readonly id: string;
  readonly title: string;
  /** The injected fault. */
  readonly inject: string;
  /** The expected observation. */
  readonly expect: string;
  /**
   * `shared`: requires three servers on one Redis; `direct`: those, and no agents. Default: one server without a Redis.
   */
  readonly fleet?: 'shared' | 'direct';
  /** Maximum recovery times. The invariants hold in every row. */
  readonly figure?: Figure | readonly Figure[];
  /**
   * Injects the fault, watches, and resolves when it has observed the recovery. The runner then heals the fleet and
   * checks it. @throws Error with the expectation that was not met
   */
  run(trial: Trial): Promise<void>;
}
