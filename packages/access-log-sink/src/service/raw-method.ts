/** A method whose messages are passed as received bytes. */
import type { Buffer } from 'node:buffer';
import type { MethodDefinition } from '@grpc/grpc-js';

const pass = (bytes: Buffer): Buffer => bytes;

/** The same method, undecoded. */
export function rawMethod({
  path,
  requestStream,
  responseStream,
}: Pick<MethodDefinition<unknown, unknown>, 'path' | 'requestStream' | 'responseStream'>): MethodDefinition<
  Buffer,
  Buffer
> {
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  };
}
