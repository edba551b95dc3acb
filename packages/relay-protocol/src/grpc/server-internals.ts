/** The things of grpc-js that are looked into, as it shows them to nobody. A test fails when they change; nothing else does. */
import type { EventEmitter } from 'node:events';
import type { Http2Stream, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server, status } from '@grpc/grpc-js';

/** What a server listens with: one HTTP/2 server for each address. */
export function listenersOf(server: Server): EventEmitter[] {
  const { http2Servers } = server as unknown as { readonly http2Servers?: ReadonlyMap<EventEmitter, unknown> };
  return [...(http2Servers?.keys() ?? [])];
}

interface Wrapped {
  readonly call?: Wrapped;
  readonly nextCall?: Wrapped;
  readonly stream?: Http2Stream;
}

/** The HTTP/2 stream of a call; undefined where it cannot be found. */
export function streamOf(call: unknown): Http2Stream | undefined {
  for (let at = call as Wrapped | undefined; at !== undefined; at = at.call ?? at.nextCall) {
    if (at.stream !== undefined) return at.stream;
  }
  return undefined;
}

/** How a call was answered, as far as it was. */
export interface Answer {
  /** The status; undefined as long as there is none. */
  readonly grpc: status | undefined;
  /** The text beside the status. */
  readonly details: string;
  /** What the status came with. */
  readonly trailers: OutgoingHttpHeaders;
}

/** What was answered on the HTTP/2 stream of a call, by whomever: by grpc-js itself, too, before any handler could. */
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

/** grpc-js encodes its texts, but for that which quotes the name of a method. */
function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
