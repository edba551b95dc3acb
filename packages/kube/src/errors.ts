/** Errors of Kubernetes calls, distinguished by the next action. */
import { NEXT_ACTIONS } from './next-actions.ts';

/** All error codes of this package. */
export type KubeErrorCode =
  /** A kubeconfig is unreadable or unusable. */
  | 'RELAY_E_KUBE_CONFIG'
  /** The object changed since it was read, or a precondition does not hold: read again. */
  | 'RELAY_E_KUBE_CONFLICT'
  /** Server-side apply: another field manager owns a field with another value. */
  | 'RELAY_E_KUBE_FIELD_CONFLICT'
  /** An object of this name already exists. */
  | 'RELAY_E_KUBE_EXISTS'
  /** The object, its namespace or its kind does not exist. */
  | 'RELAY_E_KUBE_NOT_FOUND'
  /** The credential is rejected or lacks a permission. */
  | 'RELAY_E_KUBE_FORBIDDEN'
  /** The server rejects the object itself. */
  | 'RELAY_E_KUBE_INVALID'
  /** A resourceVersion or continue token is too old: list again. */
  | 'RELAY_E_KUBE_EXPIRED'
  /** No answer, or the server is temporarily unable to answer. */
  | 'RELAY_E_KUBE_UNAVAILABLE';

/** When the same call may succeed: after reading again, after a pause, or only after a change. */
export type Retry = 'now' | 'backoff' | 'never';

const retries: Readonly<Record<KubeErrorCode, Retry>> = {
  RELAY_E_KUBE_CONFIG: 'never',
  RELAY_E_KUBE_CONFLICT: 'now',
  RELAY_E_KUBE_FIELD_CONFLICT: 'never',
  RELAY_E_KUBE_EXISTS: 'now',
  RELAY_E_KUBE_NOT_FOUND: 'never',
  RELAY_E_KUBE_FORBIDDEN: 'backoff',
  RELAY_E_KUBE_INVALID: 'never',
  RELAY_E_KUBE_EXPIRED: 'now',
  RELAY_E_KUBE_UNAVAILABLE: 'backoff',
};

/** Details in addition to the code. */
export interface KubeErrorDetails {
  /** HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  /** The reason of the Status, such as `AlreadyExists`. */
  readonly reason?: string | undefined;
  /** Causes in the Status: fields and their faults. */
  readonly causes?: readonly StatusCause[];
  /** Retry delay from the server, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The next action as a clause; default: that of the code. */
  readonly next?: string;
  readonly cause?: unknown;
}

/** One entry of a Status' `details.causes`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** A failed call. `message` names the object or path, quotes the server's message, and ends with the next action. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly code: KubeErrorCode;
  readonly retry: Retry;
  /** The message without the next action. */
  readonly what: string;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly causes: readonly StatusCause[];
  readonly retryAfter: number | undefined;

  constructor(code: KubeErrorCode, what: string, details: KubeErrorDetails = {}) {
    const { next = NEXT_ACTIONS[code], cause } = details;
    super(`${what}; ${next}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retry = retries[code];
    this.what = what;
    this.status = details.status;
    this.reason = details.reason;
    this.causes = details.causes ?? [];
    this.retryAfter = details.retryAfter;
  }
}

/** Whether an error is a KubeError of one of these codes. */
export function isKubeError(error: unknown, ...codes: readonly KubeErrorCode[]): error is KubeError {
  return error instanceof KubeError && (codes.length === 0 || codes.includes(error.code));
}
