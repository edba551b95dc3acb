/** All errors and rejections of the relay. */
import type { RelayErrorCode } from './error-code.ts';
import { NEXT_ACTIONS } from './next-actions.ts';

/** When to retry: at once, after a growing pause, or not before a user changed something. */
export type Retry = 'now' | 'backoff' | 'never';

const RETRY: Readonly<Record<RelayErrorCode, Retry>> = {
  RELAY_E_PROTOCOL: 'backoff',
  RELAY_E_UNAUTHENTICATED: 'backoff',
  RELAY_E_CLUSTER_NOT_DECLARED: 'backoff',
  RELAY_E_IDENTITY_MISMATCH: 'never',
  RELAY_E_ALREADY_REGISTERED: 'never',
  RELAY_E_FENCED: 'backoff',
  RELAY_E_SUPERSEDED: 'backoff',
  RELAY_E_RESOURCE_EXHAUSTED: 'backoff',
  RELAY_E_TIMEOUT: 'now',
  RELAY_E_DRAINING: 'now',
  RELAY_E_UNAVAILABLE: 'backoff',
  RELAY_E_UNIMPLEMENTED: 'never',
  RELAY_E_INTERNAL: 'backoff',
};

/** The only error this package throws. The peer may see its message, which never holds a token, a key or an object. */
export class RelayError extends Error {
  readonly code: RelayErrorCode;
  readonly retry: Retry;
  /** The next action, as a sentence. */
  readonly next: string;

  /** @param options `next` replaces the next action of the code; it is not sent to the peer */
  constructor(code: RelayErrorCode, message: string, options: ErrorOptions & { readonly next?: string } = {}) {
    super(message, options);
    this.name = 'RelayError';
    this.code = code;
    this.retry = RETRY[code];
    this.next = options.next ?? NEXT_ACTIONS[code];
  }
}

/** Whether the other side rejected the request: a retry helps only after a user changed something. */
export function isRejection(thrown: unknown): thrown is RelayError {
  return thrown instanceof RelayError && REJECTIONS.has(thrown.code);
}

const REJECTIONS: ReadonlySet<RelayErrorCode> = new Set([
  'RELAY_E_UNAUTHENTICATED',
  'RELAY_E_CLUSTER_NOT_DECLARED',
  'RELAY_E_IDENTITY_MISMATCH',
  'RELAY_E_ALREADY_REGISTERED',
  'RELAY_E_UNIMPLEMENTED',
]);

/**
 * Whether a call ended because of its caller: its identity, or data that it sent or failed to send. False for a broken
 * connection, an internal error, or a newer call of the same cluster.
 */
export function blamesPeer({ code }: RelayError): boolean {
  return !BLAMELESS.has(code);
}

const BLAMELESS: ReadonlySet<RelayErrorCode> = new Set([
  'RELAY_E_SUPERSEDED',
  'RELAY_E_DRAINING',
  'RELAY_E_UNAVAILABLE',
  'RELAY_E_INTERNAL',
]);

/** Whether a text, such as one from a trailer, is a relay error code. */
export function isRelayErrorCode(text: unknown): text is RelayErrorCode {
  return typeof text === 'string' && Object.hasOwn(RETRY, text);
}

/**
 * Converts any thrown value to a RelayError. Unknown errors become INTERNAL with the original as cause: the peer learns
 * only that something failed, the log has the cause.
 */
export function asRelayError(thrown: unknown): RelayError {
  if (thrown instanceof RelayError) return thrown;
  return new RelayError('RELAY_E_INTERNAL', 'internal error of this end of the relay', { cause: thrown });
}
