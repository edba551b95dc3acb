/** Rejections by grpc-js itself, with or without a running handler. */
import { status } from '@grpc/grpc-js';
import type { RelayErrorCode } from '../error-code.ts';
import { RelayError } from '../errors.ts';
import { type Answer, answerOn, streamOf } from './server-internals.ts';
import { CODE_TRAILER } from './service.ts';

interface Cause {
  readonly status: status;
  /** Matches the text of grpc-js. */
  readonly says: RegExp;
  readonly blame: RelayErrorCode;
  readonly meaning: string;
  readonly next: string;
}

const CAUSES: readonly Cause[] = [
  {
    status: status.RESOURCE_EXHAUSTED,
    says: /^Received/,
    blame: 'RELAY_E_RESOURCE_EXHAUSTED',
    meaning: 'a message exceeds the size limit of this server',
    next: 'send it in chunks',
  },
  {
    status: status.UNIMPLEMENTED,
    says: /does not implement the method/,
    blame: 'RELAY_E_UNIMPLEMENTED',
    meaning: 'the method does not exist',
    next: 'call one that this server has',
  },
  {
    status: status.UNIMPLEMENTED,
    says: /^Received (?:no|a second) request message/,
    blame: 'RELAY_E_PROTOCOL',
    meaning: 'the method takes exactly one message',
    next: 'send one',
  },
  {
    status: status.UNIMPLEMENTED,
    says: /compress/,
    blame: 'RELAY_E_PROTOCOL',
    meaning: 'a message cannot be unpacked',
    next: 'send it uncompressed',
  },
  {
    status: status.INTERNAL,
    says: /compress/,
    blame: 'RELAY_E_PROTOCOL',
    meaning: 'a message cannot be unpacked',
    next: 'send it uncompressed',
  },
  {
    status: status.INTERNAL,
    says: /^Invalid grpc-timeout/,
    blame: 'RELAY_E_PROTOCOL',
    meaning: 'the deadline of the call cannot be read',
    next: 'send digits and one of H, M, S, m, u and n, or none',
  },
];

/** Text of the caller that grpc-js quotes may have any length. */
const MAX_DETAILS = 200;

/**
 * Why a stream ended that no handler ended: grpc-js rejected a message, or the caller disconnected. @param gone text
 * for a caller that disconnected
 */
export function brokenOff(call: unknown, gone: string): RelayError {
  return libraryRejection(answerOn(streamOf(call))) ?? new RelayError('RELAY_E_UNAVAILABLE', gone);
}

/**
 * Why grpc-js answered this way. Undefined when our code answered, or when the caller is not to blame, as for its own
 * deadline.
 */
export function libraryRejection({ grpc, details, trailers }: Answer): RelayError | undefined {
  if (CODE_TRAILER in trailers) return undefined;
  const cause = CAUSES.find((each) => each.status === grpc && each.says.test(details));
  if (cause === undefined) return undefined;
  const quoted = details.length > MAX_DETAILS ? `${details.slice(0, MAX_DETAILS)}…` : details;
  return new RelayError(cause.blame, `${cause.meaning} (${quoted}); ${cause.next}`);
}
