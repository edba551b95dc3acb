/** When a certificate is renewed, and how long after its end that is still possible. */

/** The two ends of a certificate; a `Certificate` is one. */
export interface Lifetime {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** When in its life a certificate is renewed. */
export interface RenewalOptions {
  /** Part of its lifetime that passes first; 0.5 when omitted (0.67 suits servers). */
  readonly fraction?: number;
  /** Shift in parts of the lifetime, -0.1 to 0.1, drawn once for each certificate so that a fleet does not renew at once. */
  readonly jitter?: number;
}

/** Days after its end in which an agent's certificate can still be renewed by proving its key. */
export const RENEWAL_GRACE_DAYS = 30;
const DAY = 86_400_000;

/** The moment from which a certificate should be renewed. */
export function renewAt({ notBefore, notAfter }: Lifetime, { fraction = 0.5, jitter = 0 }: RenewalOptions = {}): Date {
  const part = Math.min(Math.max(fraction + jitter, 0), 1);
  return new Date(notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * part);
}

/** Whether that moment has come. */
export function renewDue(certificate: Lifetime, now: Date, options?: RenewalOptions): boolean {
  return now >= renewAt(certificate, options);
}

/** `lapsed` needs a new token; `expired` still renews by proof of its key. */
export type RenewalState = 'fresh' | 'due' | 'expired' | 'lapsed';

/** Where in its life a certificate is. */
export function renewalState(certificate: Lifetime, now: Date, options?: RenewalOptions): RenewalState {
  const end = certificate.notAfter.getTime();
  if (now.getTime() > end + RENEWAL_GRACE_DAYS * DAY) return 'lapsed';
  if (now.getTime() > end) return 'expired';
  return renewDue(certificate, now, options) ? 'due' : 'fresh';
}
