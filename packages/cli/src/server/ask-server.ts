/** Asks the HTTP API of a running server. */
import { readSmallFile } from '../input/small-file.ts';
import { InputError } from '../problem.ts';

/** Which server, and who asks. */
export interface ServerChoice {
  /** URL of its HTTP API. */
  readonly server: string;
  /** A file with the token to show, for a server with `http.auth`: arguments and variables are seen by others. */
  readonly tokenFile?: string | undefined;
}

export interface AskOptions {
  /** Added to the message where no server answers: what else can be done. */
  readonly otherwise?: string;
  readonly signal?: AbortSignal;
}

/** @param path from the root of the API's host on @throws InputError where no server answers there */
export async function askServer(
  { server, tokenFile }: ServerChoice,
  path: string,
  { otherwise = '', signal = AbortSignal.timeout(TIMEOUT_MS) }: AskOptions = {},
): Promise<Response> {
  const url = `${server.replace(/\/+$/, '')}${path}`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new InputError(`--server ${server}: expected a URL, such as http://127.0.0.1:8090`);
  const headers = tokenFile === undefined ? {} : bearer(tokenFile);
  try {
    return await fetch(url, { headers, signal });
  } catch (cause) {
    if (signal.aborted && cause === signal.reason && !isTimeout(cause)) throw cause;
    throw new InputError(
      `no server answers at ${server} (${reasonOf(cause)}); run kubectl port-forward to it and give --server URL${otherwise}`,
      { cause },
    );
  }
}

/** The error of an answer that is none. @param said what the body says */
export function refusalOf({ server }: ServerChoice, { status, url }: Response, said: unknown): InputError {
  const reason = typeof said === 'string' ? said : undefined;
  if (status === 401 || status === 403)
    return new InputError(
      `${server} does not let you in: ${reason ?? 'no reason given'}; give a token that may read it by --server-token FILE`,
    );
  if (status === 400 && reason !== undefined) return new InputError(reason);
  return new InputError(
    `${url} answered ${status}${reason === undefined ? '' : `: ${reason}`}; is it the HTTP API of a management server of this version?`,
  );
}

/** The body as JSON; empty where it is none. */
export async function bodyOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

const TIMEOUT_MS = 60_000;

function bearer(tokenFile: string): { readonly authorization: string } {
  return { authorization: `Bearer ${readSmallFile(tokenFile, `--server-token ${tokenFile}:`).trim()}` };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

export function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { code?: string; message?: string } };
  return inner?.code ?? inner?.message ?? message ?? String(cause);
}
