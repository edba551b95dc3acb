/** What a run may violate, and which of it a busy machine may be to blame for. */
import { NotConverged } from '@meshrelay/local-fleet';

/** One thing that was not as it must be. */
export interface Violation {
  /** A sentence. */
  readonly what: string;
  /** Nothing was wrong but the time: it took too long, or did not come in the time there was. */
  readonly late: boolean;
}

/** Thrown by a row where what it waited for came, and later than is allowed. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Something happened that must not, whatever the time. */
export function wrong(what: string): Violation {
  return { what, late: false };
}

/** Something took longer than is allowed. */
export function late(what: string): Violation {
  return { what, late: true };
}

/** What a row threw. @param before what it was about, where the error does not say so */
export function thrown(error: unknown, before = ''): Violation {
  const what = `${before}${error instanceof Error ? error.message : String(error)}`;
  return { what, late: error instanceof NotConverged || error instanceof TooLate };
}

/** Whether nothing was violated but times. */
export function isOnlyLate(violations: readonly Violation[]): boolean {
  return violations.length > 0 && violations.every((violation) => violation.late);
}
