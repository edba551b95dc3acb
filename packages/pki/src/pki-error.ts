/** The only error this package throws, and all its codes. */
import { NEXT_ACTIONS } from './next-actions.ts';

/**
 * - `RELAY_E_PKI_MALFORMED`: invalid text or bytes (PEM, DER, names, identities).
 * - `RELAY_E_PKI_AUTHORITY`: a signing certificate that may not or cannot sign (expired, not a CA, another key).
 * - `RELAY_E_PKI_KEY`: a private key that is unreadable, too weak, or does not match its certificate.
 * - `RELAY_E_PKI_REQUEST`: the caller requested a certificate that no template allows (no names, no lifetime).
 */
export type PkiErrorCode =
  | 'RELAY_E_PKI_MALFORMED'
  | 'RELAY_E_PKI_AUTHORITY'
  | 'RELAY_E_PKI_KEY'
  | 'RELAY_E_PKI_REQUEST';

/** An error of keys, certificates or requests. Messages never contain key bytes, tokens or the rejected text. */
export class PkiError extends Error {
  readonly code: PkiErrorCode;
  /** A retry with the same input never helps. */
  readonly retry = 'never' as const;
  /** The next action, as a sentence. */
  readonly next: string;

  /** @param options `next` replaces the next action of the code */
  constructor(code: PkiErrorCode, message: string, options: ErrorOptions & { readonly next?: string } = {}) {
    super(message, options);
    this.name = 'PkiError';
    this.code = code;
    this.next = options.next ?? NEXT_ACTIONS[code];
  }
}

/** Shorthand for the most common error: unreadable input. */
export function malformed(message: string, options?: ErrorOptions & { readonly next?: string }): PkiError {
  return new PkiError('RELAY_E_PKI_MALFORMED', message, options);
}

/** Whether `error` reports unreadable input; callers that verify a peer turn it into a rejection. */
export function isMalformed(error: unknown): error is PkiError {
  return error instanceof PkiError && error.code === 'RELAY_E_PKI_MALFORMED';
}
