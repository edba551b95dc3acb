/** Converts relay errors to gRPC statuses and back. */
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import type { RelayErrorCode } from '../error-code.ts';
import { isRelayErrorCode, RelayError } from '../errors.ts';
import { CODE_TRAILER } from './service.ts';

const STATUS: Readonly<Record<RelayErrorCode, status>> = {
  RELAY_E_PROTOCOL: status.INVALID_ARGUMENT,
  RELAY_E_UNAUTHENTICATED: status.UNAUTHENTICATED,
  // Same status as an invalid token, for agents that do not know the code.
  RELAY_E_CLUSTER_NOT_DECLARED: status.UNAUTHENTICATED,
  RELAY_E_IDENTITY_MISMATCH: status.PERMISSION_DENIED,
  RELAY_E_ALREADY_REGISTERED: status.ALREADY_EXISTS,
  RELAY_E_FENCED: status.FAILED_PRECONDITION,
  RELAY_E_SUPERSEDED: status.ABORTED,
  RELAY_E_RESOURCE_EXHAUSTED: status.RESOURCE_EXHAUSTED,
  RELAY_E_TIMEOUT: status.DEADLINE_EXCEEDED,
  RELAY_E_DRAINING: status.UNAVAILABLE,
  RELAY_E_UNAVAILABLE: status.UNAVAILABLE,
  RELAY_E_UNIMPLEMENTED: status.UNIMPLEMENTED,
  RELAY_E_INTERNAL: status.INTERNAL,
};

/** For statuses without our trailer: from grpc-js itself, or from a proxy. */
const CODES: ReadonlyMap<status, RelayErrorCode> = new Map([
  [status.INVALID_ARGUMENT, 'RELAY_E_PROTOCOL'],
  [status.UNAUTHENTICATED, 'RELAY_E_UNAUTHENTICATED'],
  [status.PERMISSION_DENIED, 'RELAY_E_IDENTITY_MISMATCH'],
  [status.ALREADY_EXISTS, 'RELAY_E_ALREADY_REGISTERED'],
  [status.RESOURCE_EXHAUSTED, 'RELAY_E_RESOURCE_EXHAUSTED'],
  [status.UNIMPLEMENTED, 'RELAY_E_UNIMPLEMENTED'],
]);

/** The status that ends a call with an error: gRPC status, message, and the relay code in a trailer. */
export function statusOf(error: RelayError): StatusObject {
  const metadata = new Metadata();
  metadata.set(CODE_TRAILER, error.code);
  return { code: STATUS[error.code], details: error.message, metadata };
}

/** The RelayError for the status of a call; undefined for OK. */
export function errorOf({ code, details, metadata }: Partial<StatusObject>): RelayError | undefined {
  if (code === status.OK) return undefined;
  const sent = metadata?.get(CODE_TRAILER)[0];
  const known = isRelayErrorCode(sent) ? sent : CODES.get(code ?? status.UNKNOWN);
  return new RelayError(
    known ?? 'RELAY_E_UNAVAILABLE',
    details === undefined ? 'the call ended without a status' : inPlainWords(details),
  );
}

/** The reason of a failed connection without the boilerplate of grpc-js; other texts stay unchanged. */
function inPlainWords(details: string): string {
  const [, why] =
    /^No connection established\. Last error: (?:Error(?: \[\w+\])?: )?(.*?)\.? Resolution note:/s.exec(details) ?? [];
  if (why === undefined) return details;
  if (/self-signed certificate|unable to (?:verify|get)/.test(why))
    return `the server's certificate is not trusted here (${why}); install the current root CA of the server on this side`;
  return `cannot connect: ${why}`;
}
