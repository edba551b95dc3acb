/** Receives a proxy's stream until it ends; an invalid message ends it with a reason. */
import { Buffer } from 'node:buffer';
import { type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import { WireError } from '../wire/wire-error.ts';
import type { ServiceLog } from './service-log.ts';

/** Receives the messages of one stream. */
export interface Intake {
  /** @throws WireError if the bytes are not a message */
  take(bytes: Buffer): void;
  close(): void;
}

export interface ReceiveOptions {
  /** Returns undefined if this peer has reached its stream limit. */
  readonly open: (peer: string) => Intake | undefined;
  readonly log: ServiceLog;
  /**
   * Aborted when the program is about to stop. Envoys never end their streams, and a message in flight is lost silently
   * when its stream ends. So each stream is ended right after a message, when the next one is as far away as possible.
   * Envoy then opens another stream, to another replica.
   */
  readonly draining?: AbortSignal | undefined;
}

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Always reads: entries that must not be stored are dropped here with a count, and never cause backpressure in the
 * proxy.
 */
export function receive(
  call: ServerReadableStream<Buffer, Buffer>,
  callback: sendUnaryData<Buffer>,
  { open, log, draining }: ReceiveOptions,
): void {
  const peer = call.getPeer();
  const intake = open(peer);
  let answered = false;
  let refused = false;
  const answer = (...with_: Parameters<sendUnaryData<Buffer>>): void => {
    if (answered) return;
    answered = true;
    callback(...with_);
  };
  const over = (): void => intake?.close();
  const endWell = (): void => {
    over();
    answer(null, NOTHING);
  };
  const refuse = (code: status, details: string): void => {
    log.warn({ peer, method: call.getPath(), reason: details }, 'stream refused');
    refused = true;
    over();
    answer({ code, details });
  };
  call.on('data', (bytes: Buffer) => {
    if (refused) return;
    try {
      intake?.take(bytes);
      if (draining?.aborted === true) endWell();
    } catch (error) {
      if (error instanceof WireError) return refuse(status.INVALID_ARGUMENT, error.message);
      // A bug in handling one proxy's bytes must not end the program for all others.
      log.error({ peer, err: error }, 'stream failed');
      refuse(status.INTERNAL, 'internal error of the sink, see its log');
    }
  });
  call.on('end', endWell);
  call.on('error', over);
  call.on('cancelled', over);
  if (intake === undefined) refuse(status.RESOURCE_EXHAUSTED, 'this source has the maximum number of streams');
}
