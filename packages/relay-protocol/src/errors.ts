/** All faults and refusals of the relay: their codes and what to do about them. */
import { NEXT_ACTIONS } from './next-actions.ts';

/** When to try again: at once, after a growing pause, or not before someone changed something. */
export type Retry = 'now' | 'backoff' | 'never';

/**
 * - `RELAY_E_PROTOCOL`: the bytes are no message of the protocol, or one that must not come now.
 * - `RELAY_E_UNAUTHENTICATED`: no client certificate that the relay's roots vouch for, or a token that buys nothing.
 * - `RELAY_E_UNDECLARED`: whoever asks to register names a cluster that nothing declares; the same may be accepted later.
 * - `RELAY_E_IDENTITY`: the certificate is good, but not for what was asked or claimed.
 * - `RELAY_E_REGISTERED`: the cluster has a good certificate; another takes its place only where an operator says so.
 * - `RELAY_E_OLD_TERM`: a newer term of the same cluster has been seen; this agent no longer leads.
 * - `RELAY_E_SUPERSEDED`: another stream of the same cluster took this one's place.
 * - `RELAY_E_LIMIT`: the peer sent more than it was granted.
 * - `RELAY_E_STALE`: nothing came for too long.
 * - `RELAY_E_DRAINING`: the server is about to stop; another replica answers.
 * - `RELAY_E_UNAVAILABLE`: the connection broke or could not be made.
 * - `RELAY_E_UNIMPLEMENTED`: this server does not offer the method.
 * - `RELAY_E_INTERNAL`: a fault of our own.
 */
export type RelayErrorCode =
  | 'RELAY_E_PROTOCOL'
  | 'RELAY_E_UNAUTHENTICATED'
  | 'RELAY_E_UNDECLARED'
  | 'RELAY_E_IDENTITY'
  | 'RELAY_E_REGISTERED'
  | 'RELAY_E_OLD_TERM'
  | 'RELAY_E_SUPERSEDED'
  | 'RELAY_E_LIMIT'
  | 'RELAY_E_STALE'
  | 'RELAY_E_DRAINING'
  | 'RELAY_E_UNAVAILABLE'
  | 'RELAY_E_UNIMPLEMENTED'
  | 'RELAY_E_INTERNAL';

const RETRY: Readonly<Record<RelayErrorCode, Retry>> = {
  RELAY_E_PROTOCOL: 'backoff',
  RELAY_E_UNAUTHENTICATED: 'backoff',
  RELAY_E_UNDECLARED: 'backoff',
  RELAY_E_IDENTITY: 'never',
  RELAY_E_REGISTERED: 'never',
  RELAY_E_OLD_TERM: 'backoff',
  RELAY_E_SUPERSEDED: 'backoff',
  RELAY_E_LIMIT: 'backoff',
  RELAY_E_STALE: 'now',
  RELAY_E_DRAINING: 'now',
  RELAY_E_UNAVAILABLE: 'backoff',
  RELAY_E_UNIMPLEMENTED: 'never',
  RELAY_E_INTERNAL: 'backoff',
};

/** The one error this package throws. Its message may be shown to the peer: it never holds a token, a key or an object. */
export class RelayError extends Error {
  readonly code: RelayErrorCode;
  readonly retry: Retry;
  /** What to do about it, as a sentence. */
  readonly next: string;

  /** @param options `next`: where something else is to be done than what the code says; it does not travel */
  constructor(code: RelayErrorCode, message: string, options: ErrorOptions & { readonly next?: string } = {}) {
    super(message, options);
    this.name = 'RelayError';
    this.code = code;
    this.retry = RETRY[code];
    this.next = options.next ?? NEXT_ACTIONS[code];
  }
}

/** Whether the other side judged us and said no: the same again helps only when somebody has changed something. */
export function isRejection(thrown: unknown): thrown is RelayError {
  return thrown instanceof RelayError && REJECTIONS.has(thrown.code);
}

const REJECTIONS: ReadonlySet<RelayErrorCode> = new Set([
  'RELAY_E_UNAUTHENTICATED',
  'RELAY_E_UNDECLARED',
  'RELAY_E_IDENTITY',
  'RELAY_E_REGISTERED',
  'RELAY_E_UNIMPLEMENTED',
]);

/**
 * Whether a call ends for who its caller is, or for what it sent or failed to send: not because it broke, for our own sake, or to make room for a newer
 * one of the same cluster.
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

/** Whether a text, such as one read from a trailer, is one of our codes. */
export function isRelayErrorCode(text: unknown): text is RelayErrorCode {
  return typeof text === 'string' && Object.hasOwn(RETRY, text);
}

/**
 * Any thrown value as an error of ours. What is not ours becomes INTERNAL with the original as its cause: the peer learns that
 * something broke, the log learns what.
 */
export function asRelayError(thrown: unknown): RelayError {
  if (thrown instanceof RelayError) return thrown;
  return new RelayError('RELAY_E_INTERNAL', 'internal error of this end of the relay', { cause: thrown });
}
