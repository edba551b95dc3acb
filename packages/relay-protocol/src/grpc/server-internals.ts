/** The things of grpc-js that are looked into, as it shows them to nobody. A test fails when they change; nothing else does. */
import type { EventEmitter } from 'node:events';
import type { Http2Stream, ServerHttp2Stream } from 'node:http2';
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

/** The status that grpc-js itself ended a call with, before any handler could: code and text. Undefined where it did not. */
export function statusSent(call: unknown): { readonly code: status; readonly details: string } | undefined {
  const stream = streamOf(call) as ServerHttp2Stream | undefined;
  const sent = stream?.sentTrailers ?? stream?.sentHeaders;
  const code = sent?.['grpc-status'];
  if (code === undefined) return undefined;
  return { code: Number(code), details: decodeURI(String(sent?.['grpc-message'] ?? '')) };
}
