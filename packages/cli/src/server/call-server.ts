/** Calls the HTTP API of a running server. Each request has a timeout, which includes its body. */
import { clearTimeout, setTimeout } from 'node:timers';
import { readSmallFile } from '../input/small-file.ts';
import { InputError } from '../problem.ts';

/** The server, the user's token, and the timeout. */
export interface ServerChoice {
  /** URL of its HTTP API. */
  readonly server: string;
  /** A file with the bearer token for a server with `http.auth`: other users can see arguments and variables. */
  readonly tokenFile?: string | undefined;
  /** Timeout of one request, in milliseconds. */
  readonly timeout: number;
}

/** The server's answer. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  /** Empty if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server sends data at least every 15 seconds. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * @param path from the root of the API's host
 * @param otherwise alternative, appended to the message if no server answers
 * @throws InputError if no server answers in time
 */
export async function callServer(choice: ServerChoice, path: string, otherwise = ''): Promise<Answer> {
  return withReason(choice, otherwise, async () =>
    answerOf(await request(choice, path, AbortSignal.timeout(choice.timeout))),
  );
}

/**
 * Opens a stream, with the request timeout for its beginning.
 * @param idleTimeoutMs milliseconds without a byte after which the stream counts as broken
 * @returns its bytes, which end in an error if the server is silent; or an answer that is not a stream
 * @throws InputError if no server answers in time
 */
export async function openStream(
  choice: ServerChoice,
  path: string,
  idleTimeoutMs: number = IDLE_TIMEOUT_MS,
): Promise<ReadableStream<Uint8Array> | Answer> {
  const stop = new AbortController();
  const late = new DOMException('The operation timed out', 'TimeoutError');
  let timer = setTimeout(() => stop.abort(late), choice.timeout).unref();
  return withReason(choice, '', async () => {
    try {
      const response = await request(choice, path, stop.signal);
      if (!response.ok || response.body === null) return await answerOf(response);
      clearTimeout(timer);
      timer = setTimeout(
        () => stop.abort(new Error(`no data arrived for ${idleTimeoutMs / 1000} s`)),
        idleTimeoutMs,
      ).unref();
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          timer.refresh();
          controller.enqueue(chunk);
        },
        flush: () => clearTimeout(timer),
      });
      return response.body.pipeThrough(heard);
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  });
}

/** The error for an unsuccessful answer. */
export function rejectionOf({ server }: ServerChoice, { status, url, body }: Answer): InputError {
  const reason = typeof body['error'] === 'string' ? body['error'] : undefined;
  if (status === 401 || status === 403)
    return new InputError(
      `${server} denies the request: ${reason ?? 'no reason given'}; give a token with read access with --server-token FILE`,
    );
  if (status === 400 && reason !== undefined) return new InputError(reason);
  return new InputError(
    `${url} answered ${status}${reason === undefined ? '' : `: ${reason}`}; check that it is the HTTP API of a management server of this version`,
  );
}

export function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { code?: string; message?: string } };
  return inner?.code ?? inner?.message ?? message ?? String(cause);
}

function request({ server, tokenFile }: ServerChoice, path: string, signal: AbortSignal): Promise<Response> {
  const url = `${server.replace(/\/+$/, '')}${path}`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new InputError(`--server ${server}: expected a URL, such as http://127.0.0.1:8090`);
  const headers = tokenFile === undefined ? {} : bearer(tokenFile);
  return fetch(url, { headers, signal });
}

async function answerOf(response: Response): Promise<Answer> {
  const { ok, status, url } = response;
  const text = await response.text();
  try {
    return { ok, status, url, body: JSON.parse(text) as Answer['body'] };
  } catch {
    return { ok, status, url, body: {} };
  }
}

/** Converts the reason for a missing answer to an error for the user. */
async function withReason<T>({ server, timeout }: ServerChoice, otherwise: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new InputError(
        `${server} did not answer within ${timeout / 1000} s; check that server, or wait longer with --request-timeout${otherwise}`,
        { cause },
      );
    throw new InputError(
      `no server answers at ${server} (${reasonOf(cause)}); run kubectl port-forward to it and give --server URL${otherwise}`,
      { cause },
    );
  }
}

function bearer(tokenFile: string): { readonly authorization: string } {
  return { authorization: `Bearer ${readSmallFile(tokenFile, `--server-token ${tokenFile}:`).trim()}` };
}
