/** Detects calls that grpc-js answers itself without an event: unknown methods, and unary messages that it rejects. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import { RelayError } from '../errors.ts';
import { addressOf } from './connection-guard.ts';
import { libraryRejection } from './library-rejection.ts';
import { answerOn, listenersOf } from './server-internals.ts';
import { type MethodName, RELAY_SERVICE } from './service.ts';

/** `unknown` replaces method names made up by a caller, since this labels a metric. */
export type CalledMethod = MethodName | 'unknown';

/** Called once for each rejection: the method, the caller's address and port, and the reason. */
export type LibraryRefused = (method: CalledMethod, peer: string, error: RelayError) => void;

const METHODS: ReadonlyMap<unknown, MethodName> = new Map(
  Object.entries(RELAY_SERVICE).map(([name, { path }]) => [path, name as MethodName]),
);

/** Watches all calls to a server from now on. Streams report their own end once their handler runs. */
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

/** The same check as in grpc-js; a request that is not gRPC gets only HTTP status 415. */
function isGrpc({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type?.startsWith('application/grpc') ?? false;
}

function noGrpc(): RelayError {
  return new RelayError('RELAY_E_PROTOCOL', 'the request is not gRPC; its content type must be application/grpc');
}

function peerOf({ session }: ServerHttp2Stream): string {
  // The socket of a closed session cannot be accessed.
  return session === undefined || session.destroyed ? 'unknown' : addressOf(session.socket as Socket);
}
