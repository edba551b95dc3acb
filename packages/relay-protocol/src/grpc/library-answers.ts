/** Watches for calls that grpc-js answers by itself and tells nobody of: unknown methods, and single messages that it does not take. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import { RelayError } from '../errors.ts';
import { addressOf } from './connection-guard.ts';
import { libraryRejection } from './library-rejection.ts';
import { answerOn, listenersOf } from './server-internals.ts';
import { type MethodName, RELAY_SERVICE } from './service.ts';

/** `unknown` stands for whatever a caller makes up: it labels a counter. */
export type CalledMethod = MethodName | 'unknown';

/** Told of each refusal, once: the method, the caller's address and port, and why. */
export type LibraryRefused = (method: CalledMethod, peer: string, error: RelayError) => void;

const METHODS: ReadonlyMap<unknown, MethodName> = new Map(
  Object.entries(RELAY_SERVICE).map(([name, { path }]) => [path, name as MethodName]),
);

/** Watches all calls that a server gets from now on. Streams tell by themselves how they end, once they are any. */
export function watchLibraryAnswers(server: Server, refused: LibraryRefused): void {
  for (const listener of listenersOf(server)) {
    listener.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const method = METHODS.get(headers[':path']);
      const peer = peerOf(stream);
      const refuse = (error: RelayError): void => refused(method ?? 'unknown', peer, error);
      if (!isGrpc(headers)) refuse(noGrpc());
      else if (method === undefined || !RELAY_SERVICE[method].requestStream)
        stream.once('close', () => {
          const error = libraryRejection(answerOn(stream));
          if (error !== undefined) refuse(error);
        });
    });
  }
}

/** As grpc-js judges; what is none gets HTTP's status 415 and nothing else. */
function isGrpc({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type?.startsWith('application/grpc') ?? false;
}

function noGrpc(): RelayError {
  return new RelayError('RELAY_E_PROTOCOL', 'the request is no gRPC; its content type must be application/grpc');
}

function peerOf({ session }: ServerHttp2Stream): string {
  // The socket of a session that is over cannot be asked.
  return session === undefined || session.destroyed ? 'unknown' : addressOf(session.socket as Socket);
}
