/** Why a stream is over that no handler of ours ended. */
import { status } from '@grpc/grpc-js';
import { RelayError } from '../errors.ts';
import { statusSent } from './server-internals.ts';

/** The caller has gone, or grpc-js refused what it sent and ended the stream by itself. @param gone in words, where the caller went */
export function brokenOff(call: unknown, gone: string): RelayError {
  const { code, details = '' } = statusSent(call) ?? {};
  if (code === status.RESOURCE_EXHAUSTED && details.startsWith('Received'))
    return new RelayError(
      'RELAY_E_LIMIT',
      `a message is larger than this server takes (${details}); send it in chunks`,
    );
  if (details.includes('compress'))
    return new RelayError('RELAY_E_PROTOCOL', `a message cannot be unpacked (${details}); send it uncompressed`);
  return new RelayError('RELAY_E_UNAVAILABLE', gone);
}
