/** The only error this package throws. */
import { NEXT_ACTIONS } from './next-actions.ts';
import type { PkiErrorCode } from './pki-error-code.ts';

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

/** Whether `error` reports unreadable input; callers that verify a peer convert it to a rejection. */
export function isMalformed(error: unknown): error is PkiError {
  return error instanceof PkiError && error.code === 'RELAY_E_PKI_MALFORMED';
}
