/** Asks the HTTP API of a running server. Each request has a time limit, of which its body is part. */
import { clearTimeout, setTimeout } from 'node:timers';
import { readSmallFile } from '../input/small-file.ts';
import { InputError } from '../problem.ts';

/** Which server, who asks, and for how long. */
export interface ServerChoice {
  /** URL of its HTTP API. */
  readonly server: string;
  /** A file with the token to show, for a server with `http.auth`: arguments and variables are seen by others. */
  readonly tokenFile?: string | undefined;
  /** Milliseconds that one request may take. */
  readonly timeout: number;
}

/** What it answered. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  /** Empty where it is no JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server sends something every 15 seconds. */
const SILENCE_TIMEOUT_MS = 60_000;

/**
 * @param path from the root of the API's host
 * @param otherwise added to the message where no server answers: what else can be done
 * @throws InputError where no server answers there in time
 */
export async function callServer(choice: ServerChoice, path: string, otherwise = ''): Promise<Answer> {
  return withReason(choice, otherwise, async () =>
    answerOf(await request(choice, path, AbortSignal.timeout(choice.timeout))),
  );
}

/**
 * Opens a stream, whose beginning is waited for as long as for an answer.
 * @param idleTimeoutMs milliseconds without a byte after which it counts as broken
 * @returns its bytes, which end in an error where the server falls silent; or an answer that is no stream
 * @throws InputError where no server answers there in time
 */
export async function openStream(
  choice: ServerChoice,
  path: string,
  idleTimeoutMs: number = SILENCE_TIMEOUT_MS,
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
        () => stop.abort(new Error(`nothing came for ${idleTimeoutMs / 1000} s`)),
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

/** The error of an answer that is none. */
export function rejectionOf({ server }: ServerChoice, { status, url, body }: Answer): InputError {
  const reason = typeof body['error'] === 'string' ? body['error'] : undefined;
  if (status === 401 || status === 403)
    return new InputError(
      `${server} does not let you in: ${reason ?? 'no reason given'}; give a token that may read it by --server-token FILE`,
    );
  if (status === 400 && reason !== undefined) return new InputError(reason);
  return new InputError(
    `${url} answered ${status}${reason === undefined ? '' : `: ${reason}`}; is it the HTTP API of a management server of this version?`,
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

/** Why no answer came, as an error for the user. */
async function withReason<T>({ server, timeout }: ServerChoice, otherwise: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new InputError(
        `${server} did not answer within ${timeout / 1000} s; look at that server, or wait longer by --request-timeout${otherwise}`,
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
