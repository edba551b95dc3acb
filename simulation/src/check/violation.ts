/** An invariant that did not hold, and where. */

/** The invariants that a simulation checks. What each says stands in the README. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'crash';

export interface Violation {
  readonly invariant: Invariant;
  /** Simulated milliseconds. */
  readonly at: number;
  readonly message: string;
}
