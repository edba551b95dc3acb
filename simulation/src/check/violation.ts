/** An invariant that was violated, and where. */

/** The invariants that a simulation checks. The README describes each. */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'crash';

export interface Violation {
  readonly invariant: Invariant;
  /** Simulated milliseconds. */
  readonly at: number;
  readonly message: string;
}
