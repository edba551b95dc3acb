/**
 * Reads a file from an allowed host. It follows redirects, checks each like the first address, and never reads more
 * than the maximum bytes.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ModuleError } from '../module-error.ts';
import { pinnedRequest, type RequestOptions, unreachable } from './pinned-request.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FetchOptions extends RequestOptions {
  /** Larger files are rejected: before reading if the host declares the size, otherwise while reading. */
  readonly maxBytes: number;
}

/** A response that is not a redirect. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** At most the maximum bytes. */
  readonly body: Buffer;
  /** Final URL after redirects. */
  readonly url: URL;
}

/** @throws ModuleError if nothing can be read; any status counts as a response */
export async function fetchBytes(url: URL, options: FetchOptions): Promise<Answer> {
  let at = url;
  let { headers } = options;
  for (let redirects = 0; ; redirects += 1) {
    const response = await pinnedRequest(at, { ...options, ...(headers === undefined ? {} : { headers }) });
    const { statusCode: status = 0, headers: sent } = response;
    if (!REDIRECTS.has(status)) return { status, headers: sent, body: await bodyOf(response, at, options), url: at };
    response.destroy();
    if (redirects === MAX_REDIRECTS)
      throw new ModuleError(`${url.href} redirects more than ${MAX_REDIRECTS} times; use the final URL`, 'later');
    const next = target(sent.location, at);
    // Credentials for one host must not reach another.
    if (next.origin !== at.origin) headers = without(headers, 'authorization');
    at = next;
  }
}

/** Response to a request that must succeed. @throws ModuleError */
export async function fetchFile(url: URL, options: FetchOptions): Promise<Answer> {
  const answer = await fetchBytes(url, options);
  if (answer.status === 200) return answer;
  throw new ModuleError(
    `${url.origin}${url.pathname} returns ${answer.status} instead of the file; check the URL and that the agent may read it`,
    answer.status >= 500 || answer.status === 429 ? 'later' : 'changed',
  );
}

function target(location: string | undefined, from: URL): URL {
  const next = location === undefined ? null : URL.parse(location, from.href);
  if (next === null) throw new ModuleError(`${from.href} redirects to nowhere; name another address`, 'later');
  return next;
}

function without(
  headers: Readonly<Record<string, string>> | undefined,
  name: string,
): Readonly<Record<string, string>> | undefined {
  return headers && Object.fromEntries(Object.entries(headers).filter(([each]) => each.toLowerCase() !== name));
}

async function bodyOf(response: IncomingMessage, url: URL, { maxBytes, signal }: FetchOptions): Promise<Buffer> {
  const encoding = response.headers['content-encoding'];
  const announced = Number(response.headers['content-length'] ?? 0);
  try {
    if (encoding !== undefined && encoding !== 'identity')
      throw new ModuleError(
        `${url.origin} sends the file with Content-Encoding ${encoding}; serve it without one`,
        'changed',
      );
    if (announced > maxBytes) throw tooBig(url, maxBytes);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooBig(url, maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } catch (error) {
    throw unreachable(url, error, signal);
  } finally {
    response.destroy();
  }
}

/** Error for a file above the maximum size. */
function tooBig(url: URL, maxBytes: number): ModuleError {
  const message = `${url.origin}${url.pathname} has more than ${maxBytes} bytes, the limit of the agent; make it smaller, or raise wasm.maxBytes of its configuration`;
  return new ModuleError(message, 'changed');
}
