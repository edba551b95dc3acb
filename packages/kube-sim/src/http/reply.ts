/** Replies and their encoding. */
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { stringify } from 'yaml';
import type { Json } from '../object.ts';

/** A reply that is not a watch. */
export interface Reply {
  readonly code: number;
  /** A JSON document, or a text that is sent unchanged. */
  readonly body: Json | object | string;
  readonly format?: 'json' | 'yaml';
  /** For text bodies, or for JSON other than `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** JSON as Go writes it: characters with a meaning in HTML are escaped. */
export function goJson(value: unknown, pretty = false): string {
  const text = JSON.stringify(value, undefined, pretty ? 2 : undefined);
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Sends a reply. `pretty` indents JSON. */
export function send(
  response: ServerResponse,
  reply: Reply,
  { pretty = false, head = false }: { readonly pretty?: boolean; readonly head?: boolean } = {},
): void {
  const { bytes, contentType } = encode(reply, pretty);
  response.writeHead(reply.code, {
    'cache-control': 'no-cache, private',
    ...reply.headers,
    'content-type': contentType,
    'content-length': bytes.length,
  });
  response.end(head ? undefined : bytes);
}

/** Sends the first half of a reply and closes the connection. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  const { bytes, contentType } = encode(reply, false);
  response.writeHead(reply.code, { 'content-type': contentType, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

function encode(reply: Reply, pretty: boolean): { readonly bytes: Buffer; readonly contentType: string } {
  const isText = typeof reply.body === 'string';
  const text = isText
    ? (reply.body as string)
    : reply.format === 'yaml'
      ? stringify(reply.body, { lineWidth: 0 })
      : `${goJson(reply.body, pretty)}\n`;
  const contentType =
    reply.contentType ??
    (isText ? 'text/plain; charset=utf-8' : reply.format === 'yaml' ? 'application/yaml' : 'application/json');
  return { bytes: Buffer.from(text), contentType };
}

/** The reply for an unknown path. */
export const PAGE_NOT_FOUND: Reply = {
  code: 404,
  body: '404 page not found\n',
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
};
