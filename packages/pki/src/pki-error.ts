/** The one error this package throws, and all its codes. */
import { NEXT_ACTIONS } from './next-actions.ts';

/**
 * - `RELAY_E_PKI_MALFORMED`: text or bytes that are not what they should be (PEM, DER, names, identities).
 * - `RELAY_E_PKI_AUTHORITY`: a signing certificate that may not or can not sign (expired, not a CA, another key).
 * - `RELAY_E_PKI_KEY`: a private key that can not be read, is too weak, or does not belong to its certificate.
 * - `RELAY_E_PKI_REQUEST`: the caller asked for a certificate no template allows (no names, no lifetime).
 */
export type PkiErrorCode =
  | 'RELAY_E_PKI_MALFORMED'
  | 'RELAY_E_PKI_AUTHORITY'
  | 'RELAY_E_PKI_KEY'
  | 'RELAY_E_PKI_REQUEST';

/** A fault of keys, certificates or requests. Messages never hold key bytes, tokens or the refused text itself. */
export class PkiError extends Error {
  readonly code: PkiErrorCode;
  /** Trying the same input again never helps. */
  readonly retry = 'never' as const;
  /** What to do about it, as a sentence. */
  readonly next: string;

  /** @param options `next`: where something else is to be done than what the code says */
  constructor(code: PkiErrorCode, message: string, options: ErrorOptions & { readonly next?: string } = {}) {
    super(message, options);
    this.name = 'PkiError';
    this.code = code;
    this.next = options.next ?? NEXT_ACTIONS[code];
  }
}

/** Shorthand for the commonest fault: input that can not be read. */
export function malformed(message: string, options?: ErrorOptions & { readonly next?: string }): PkiError {
  return new PkiError('RELAY_E_PKI_MALFORMED', message, options);
}

/** Whether `error` says that input could not be read, which callers judging a peer turn into a refusal. */
export function isMalformed(error: unknown): error is PkiError {
  return error instanceof PkiError && error.code === 'RELAY_E_PKI_MALFORMED';
}
