/** Reads the first message of a stream, which decides how the stream is handled. */
import type { Buffer } from 'node:buffer';
import { clearTimeout, setTimeout } from 'node:timers';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Codec } from '../codec/codec.ts';
import { asRelayError, RelayError } from '../errors.ts';
import type { Hello, RelayMessage } from '../message.ts';
import { brokenOff } from './library-rejection.ts';

/**
 * Waits for hello and then stops reading.
 * @param timeoutMs milliseconds
 * @throws RelayError when another message comes, the timeout expires, or the stream ends
 */
export function readHello(
  call: ServerDuplexStream<Buffer, Buffer>,
  codec: Codec<RelayMessage>,
  timeoutMs: number,
): Promise<Hello> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      call.off('data', heard).off('end', gone).off('cancelled', gone);
      call.pause();
      act();
    };
    const heard = (bytes: Buffer): void =>
      settle(() => {
        try {
          resolve(asHello(codec.decode(bytes)));
        } catch (thrown) {
          reject(asRelayError(thrown));
        }
      });
    const gone = (): void => settle(() => reject(brokenOff(call, 'the agent ended the stream before it said hello')));
    const late = (): void =>
      settle(() =>
        reject(
          new RelayError(
            'RELAY_E_TIMEOUT',
            `no hello came within ${timeoutMs} ms; reopen the stream and send it first`,
          ),
        ),
      );
    const timer = setTimeout(late, timeoutMs);
    call.on('data', heard).on('end', gone).on('cancelled', gone);
    // The call may have ended while its caller was authenticated.
    if (call.cancelled) gone();
  });
}

function asHello(message: RelayMessage): Hello {
  if (message.type === 'hello') return message;
  throw new RelayError('RELAY_E_PROTOCOL', `the agent began the stream with ${message.type} instead of hello`);
}
