/** Issued certificates and their validity. */
import { type Certificate, writeCertificates } from '../certificate/certificate.ts';
import { PkiError } from '../pki-error.ts';
import { type CertificateAuthority, issuingChain } from './authority.ts';

/** A certificate just signed. */
export interface Issued {
  readonly certificate: Certificate;
  /** The certificate alone. */
  readonly certificatePem: string;
  /** The certificate, then the certificates between it and the root: its owner presents this chain. */
  readonly chainPem: string;
}

/**
 * Backdating of a certificate, so that clocks slightly behind accept it: milliseconds, and at most this share of its
 * lifetime. Otherwise a short-lived one could start at half of its life.
 */
const CLOCK_SKEW = 5 * 60_000;
const CLOCK_SKEW_PART = 0.1;
const DAY = 86_400_000;

/** The certificate with its issuers, ready to be sent. */
export function issued(certificate: Certificate, ca: CertificateAuthority | undefined): Issued {
  return {
    certificate,
    certificatePem: writeCertificates([certificate]),
    chainPem: writeCertificates([certificate, ...(ca ? issuingChain(ca) : [])]),
  };
}

/**
 * From slightly before `now` (five minutes, less if it is short-lived) until `days` after it, never after the issuer's
 * end.
 * @throws RELAY_E_PKI_REQUEST when `days` is not above 0 and at most 36,500
 */
export function validity(
  now: Date,
  days: number,
  issuer?: Certificate,
): { readonly notBefore: Date; readonly notAfter: Date } {
  if (!(days > 0 && days <= 36_500))
    throw new PkiError(
      'RELAY_E_PKI_REQUEST',
      `certificate: lifetime of ${days} days, expected above 0 and at most 36500`,
    );
  const end = Math.min(now.getTime() + days * DAY, issuer?.notAfter.getTime() ?? Number.POSITIVE_INFINITY);
  const skew = Math.min(CLOCK_SKEW, days * DAY * CLOCK_SKEW_PART);
  return { notBefore: wholeSeconds(now.getTime() - skew), notAfter: wholeSeconds(end) };
}

function wholeSeconds(time: number): Date {
  return new Date(Math.floor(time / 1000) * 1000);
}
