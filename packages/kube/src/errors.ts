/** Errors of Kubernetes calls, distinguished by the next action. */
import type { KubeErrorCode } from './error-code.ts';
import { NEXT_ACTIONS } from './next-actions.ts';

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
