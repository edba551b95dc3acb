/** Explanations by a running server. */
import { readFileSync } from 'node:fs';
import type { ExplainAnswer, ExplainDocument } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';

/**
 * @param tokenFile a file with the token to show, for a server with `http.auth`
 * @throws InputError where no server answers there, something else does, or the token does not open it
 */
export async function explainByServer(server: string, object: string, tokenFile?: string): Promise<ExplainAnswer> {
  const path = object.split('/').map(encodeURIComponent).join('/');
  const url = `${server.replace(/\/+$/, '')}/api/v1/explain/${path}`;
  const response = await ask(url, server, tokenFile === undefined ? {} : bearer(tokenFile));
  const body = await bodyOf(response);
  if (response.ok) return { document: body as unknown as ExplainDocument };
  const { error, candidates } = body;
  if (typeof error === 'string' && Array.isArray(candidates))
    return { problem: response.status === 409 ? 'AMBIGUOUS' : 'NOT_FOUND', message: error, candidates };
  if (response.status === 401 || response.status === 403)
    throw new InputError(
      `${server} does not let you in: ${String(error)}; give a token that may read it by --server-token FILE`,
    );
  throw new InputError(
    `${url} answered ${response.status}${typeof error === 'string' ? `: ${error}` : ''}; is it the HTTP API of a management server of this version?`,
  );
}

async function ask(url: string, server: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new InputError(`--server ${server}: expected a URL, such as http://127.0.0.1:8090`);
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new InputError(
      `no server answers at ${server} (${reasonOf(cause)}); run kubectl port-forward to it and give --server URL, or work from files with --cluster NAME=PATH`,
      { cause },
    );
  }
}

/** A token by its file, since arguments and variables are seen by others. */
function bearer(tokenFile: string): { readonly authorization: string } {
  try {
    return { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  } catch (cause) {
    throw new InputError(`--server-token ${tokenFile}: cannot be read (${reasonOf(cause)})`, { cause });
  }
}

const TIMEOUT_MS = 60_000;

function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { code?: string; message?: string } };
  return inner?.code ?? inner?.message ?? message ?? String(cause);
}

async function bodyOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
