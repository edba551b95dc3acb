/** When a certificate is renewed, and how long after its end this is possible. */

/** Start and end of a certificate; a `Certificate` is one. */
export interface Lifetime {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** When in its life a certificate is renewed. */
export interface RenewalOptions {
  /** Share of the lifetime before the renewal; 0.5 if omitted (0.67 suits servers). */
  readonly fraction?: number;
  /**
   * Shift in shares of the lifetime, -0.1 to 0.1, drawn once per certificate so that a fleet does not renew at once.
   */
  readonly jitter?: number;
}

/** Days after its end in which an agent's certificate can be renewed by proving its key. */
export const RENEWAL_GRACE_DAYS = 30;
const DAY = 86_400_000;

/** The time from which a certificate should be renewed. */
export function renewAt({ notBefore, notAfter }: Lifetime, { fraction = 0.5, jitter = 0 }: RenewalOptions = {}): Date {
  const part = Math.min(Math.max(fraction + jitter, 0), 1);
  return new Date(notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * part);
}

/** Whether that time has come. */
export function renewDue(certificate: Lifetime, now: Date, options?: RenewalOptions): boolean {
  return now >= renewAt(certificate, options);
}

/** `lapsed` needs a new token; `expired` still renews by proof of its key. */
export type RenewalState = 'fresh' | 'due' | 'expired' | 'lapsed';

/** State of a certificate in its lifetime. */
export function renewalState(certificate: Lifetime, now: Date, options?: RenewalOptions): RenewalState {
  const end = certificate.notAfter.getTime();
  if (now.getTime() > end + RENEWAL_GRACE_DAYS * DAY) return 'lapsed';
  if (now.getTime() > end) return 'expired';
  return renewDue(certificate, now, options) ? 'due' : 'fresh';
}
