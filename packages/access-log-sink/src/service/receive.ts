/** Takes what a proxy streams until it ends; a message that is none ends it with a reason. */
import { Buffer } from 'node:buffer';
import { type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import { WireError } from '../wire/wire-error.ts';
import type { ServiceLog } from './service-log.ts';

/** One stream's way in. */
export interface Intake {
  /** @throws WireError where the bytes are no message */
  take(bytes: Buffer): void;
  close(): void;
}

export interface ReceiveOptions {
  /** undefined where this peer has as many streams as it may. */
  readonly open: (peer: string) => Intake | undefined;
  readonly log: ServiceLog;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Always reads: what must not be kept is dropped here, with a count, and never held back in the proxy. */
export function receive(
  call: ServerReadableStream<Buffer, Buffer>,
  callback: sendUnaryData<Buffer>,
  { open, log }: ReceiveOptions,
): void {
  const peer = call.getPeer();
  const intake = open(peer);
  let over = false;
  const end = (answer: () => void): void => {
    if (over) return;
    over = true;
    intake?.close();
    answer();
  };
  const refuse = (code: status, details: string): void => {
    log.warn({ peer, method: call.getPath(), reason: details }, 'stream refused');
    end(() => callback({ code, details }));
  };
  call.on('data', (bytes: Buffer) => {
    if (over) return;
    try {
      intake?.take(bytes);
    } catch (error) {
      if (error instanceof WireError) return refuse(status.INVALID_ARGUMENT, error.message);
      // A fault of ours with one proxy's bytes must not end the program for all others.
      log.error({ peer, err: error }, 'stream failed');
      refuse(status.INTERNAL, 'internal error of the sink, see its log');
    }
  });
  call.on('end', () => end(() => callback(null, NOTHING)));
  call.on('error', () => end(() => undefined));
  call.on('cancelled', () => end(() => undefined));
  if (intake === undefined) refuse(status.RESOURCE_EXHAUSTED, 'this source has as many streams as it may');
}
