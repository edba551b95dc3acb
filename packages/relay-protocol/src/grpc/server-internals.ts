/** Access to internals of grpc-js, which has no public API for them. Only a test fails when they change. */
import type { EventEmitter } from 'node:events';
import type { Http2Stream, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server, status } from '@grpc/grpc-js';

/** The HTTP/2 servers that a gRPC server listens with: one for each address. */
export function listenersOf(server: Server): EventEmitter[] {
  const { http2Servers } = server as unknown as { readonly http2Servers?: ReadonlyMap<EventEmitter, unknown> };
  return [...(http2Servers?.keys() ?? [])];
}

interface Wrapped {
  readonly call?: Wrapped;
  readonly nextCall?: Wrapped;
  readonly stream?: Http2Stream;
}

/** The HTTP/2 stream of a call; undefined if it is not found. */
export function streamOf(call: unknown): Http2Stream | undefined {
  for (let at = call as Wrapped | undefined; at !== undefined; at = at.call ?? at.nextCall) {
    if (at.stream !== undefined) return at.stream;
  }
  return undefined;
}

/** How far a call was answered. */
export interface Answer {
  /** The status; undefined until it is set. */
  readonly grpc: status | undefined;
  /** The message of the status. */
  readonly details: string;
  /** The trailers of the status. */
  readonly trailers: OutgoingHttpHeaders;
}

/** The answer on the HTTP/2 stream of a call, including answers of grpc-js itself before any handler ran. */
export function answerOn(stream: Http2Stream | undefined): Answer {
  const { sentHeaders, sentTrailers } = (stream ?? {}) as Partial<ServerHttp2Stream>;
  const trailers = sentTrailers ?? sentHeaders ?? {};
  const grpc = trailers['grpc-status'];
  return {
    grpc: grpc === undefined ? undefined : Number(grpc),
    details: decoded(String(trailers['grpc-message'] ?? '')),
    trailers,
  };
}

/** grpc-js encodes its messages, except the one that quotes a method name. */
function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
