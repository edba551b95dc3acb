/** Converts answers of an API server to KubeErrors. */

import type { KubeErrorCode } from './error-code.ts';
import { KubeError, type StatusCause } from './errors.ts';

/** An answer without success. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  /** The Retry-After header. */
  readonly retryAfter?: string | undefined;
}

interface StatusBody {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly StatusCause[]; readonly retryAfterSeconds?: number };
}

/** The error for an answer to `what` (verb and object, or verb and path). */
export function answerError(what: string, answer: FailedAnswer): KubeError {
  const status = parseStatus(answer.body);
  const code = codeOf(answer.status, status);
  const detail = status?.message ?? (answer.body.trim().slice(0, 200) || `HTTP ${answer.status}`);
  const seconds = Number(answer.retryAfter ?? status?.details?.retryAfterSeconds);
  return new KubeError(code, `${what}: ${detail}`, {
    status: answer.status,
    causes: status?.details?.causes ?? [],
    ...(status?.reason !== undefined && { reason: status.reason }),
    ...(seconds > 0 && { retryAfter: seconds * 1000 }),
  });
}

/** The error for a request without an answer. */
export function idleTimeoutError(what: string, cause: unknown): KubeError {
  const detail = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new KubeError('RELAY_E_KUBE_UNAVAILABLE', `${what}: no answer (${detail})`, { cause });
}

function codeOf(http: number, status: StatusBody | undefined): KubeErrorCode {
  switch (http) {
    case 401:
    case 403:
      return 'RELAY_E_KUBE_FORBIDDEN';
    case 404:
      return 'RELAY_E_KUBE_NOT_FOUND';
    case 409:
      if (status?.reason === 'AlreadyExists') return 'RELAY_E_KUBE_EXISTS';
      return status?.details?.causes?.some((cause) => cause.reason === 'FieldManagerConflict')
        ? 'RELAY_E_KUBE_FIELD_CONFLICT'
        : 'RELAY_E_KUBE_CONFLICT';
    case 410:
      return 'RELAY_E_KUBE_EXPIRED';
    case 408:
    case 425:
    case 429:
      return 'RELAY_E_KUBE_UNAVAILABLE';
    case 500:
      // Server-side apply answers 500 to a field unknown to its schema; a retry would never help.
      return status?.message?.startsWith('failed to create typed patch object')
        ? 'RELAY_E_KUBE_INVALID'
        : 'RELAY_E_KUBE_UNAVAILABLE';
    default:
      return http >= 500 ? 'RELAY_E_KUBE_UNAVAILABLE' : 'RELAY_E_KUBE_INVALID';
  }
}

function parseStatus(body: string): StatusBody | undefined {
  try {
    const parsed = JSON.parse(body) as StatusBody;
    return parsed !== null && parsed.kind === 'Status' ? parsed : undefined;
  } catch {
    // Proxies and unknown paths answer in plain text; the text itself is then the message.
    return undefined;
  }
}
