/** Version of a value in Redis: text of fixed width, so that scripts can compare it without parsing. */
import type { SnapshotVersion } from '../snapshot.ts';

/**
 * A version across all lives of a cluster's name: a cluster that is registered again after its removal begins a later
 * life.
 */
export interface StoredVersion extends SnapshotVersion {
  readonly life: number;
}

const DIGITS = 16;
/** Length of a version's text. */
export const VERSION_LENGTH: number = 3 * DIGITS + 2;
const PATTERN = /^\d{16}\.\d{16}\.\d{16}$/;

export const NEVER: StoredVersion = { life: 0, term: 0, seq: 0 };

/** Later versions have greater texts. */
export function versionText({ life, term, seq }: StoredVersion): string {
  return [life, term, seq].map((part) => String(part).padStart(DIGITS, '0')).join('.');
}

/** Undefined for an invalid text. */
export function readVersion(text: string): StoredVersion | undefined {
  if (!PATTERN.test(text)) return undefined;
  const [life = 0, term = 0, seq = 0] = text.split('.').map(Number);
  return [life, term, seq].every(Number.isSafeInteger) ? { life, term, seq } : undefined;
}

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export function compareStored(a: StoredVersion, b: StoredVersion): number {
  return a.life - b.life || a.term - b.term || a.seq - b.seq;
}
