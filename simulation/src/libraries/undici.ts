/** Replaces undici for the requests of `kube`: they go to the simulated API servers. */

import { textOf } from '../kube/answer-text.ts';
import type { ApiAnswer, ApiRequest } from '../kube/api-server.ts';
import { type ApiHost, reach } from '../network/internet.ts';

interface Options {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { text(): Promise<string> };
}

/** A connection pool without pooling. */
class Dispatcher {
  async close(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export { Dispatcher as Agent, Dispatcher as ProxyAgent };

const queries = new Map<string, ApiRequest['query']>();

/** Cache: requests repeat the same few values. */
function queryOf({ search, searchParams }: URL): ApiRequest['query'] {
  const known = queries.get(search) ?? Object.fromEntries(searchParams);
  if (queries.size < 10_000) queries.set(search, known);
  return known;
}

/** Sends a request from the current process. */
export async function request(
  url: URL,
  { method = 'GET', headers = {}, body, signal }: Options = {},
): Promise<Response> {
  const query = queryOf(url);
  const contentType = headers['content-type'] ?? '';
  const given = body === undefined ? undefined : (JSON.parse(body) as unknown);
  const answer = await send(url.hostname, { method, path: url.pathname, query, body: given, contentType }, signal);
  const text = textOf(answer.body);
  return { statusCode: answer.status, headers: {}, body: { text: async () => text } };
}

/**
 * The path of a request and its response. A request cancelled before it was sent never arrives; after that, only its
 * response is lost.
 * @throws the signal's reason, or an error of the connection
 */
export function send(
  host: string,
  given: Omit<ApiRequest, 'actor' | 'sentAt'>,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  const { internet, process } = reach();
  const { network } = internet;
  const api = internet.apis.get(host);
  if (api === undefined) return Promise.reject(refused(host, 'ENOTFOUND'));
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(signal?.reason));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    // A request already in flight on a slow link arrives, even if its sender no longer waits for the response.
    const sent = network.isSlow(process.name, api.host);
    const sentAt = network.scheduler.now;
    network.transmit(process.name, api.host, undefined, () => {
      if (over && !sent) return;
      const answer = answerOf(api, { ...given, actor: process.id, sentAt });
      network.transmit(api.host, process.name, process, () =>
        end(() => (answer === undefined ? reject(refused(host, 'ECONNREFUSED')) : resolve(answer))),
      );
    });
  });
}

/** Undefined: no API server listens. */
function answerOf({ server, faults, errorRandom }: ApiHost, request: ApiRequest): ApiAnswer | undefined {
  if (faults.down) return undefined;
  if (faults.errors > 0 && errorRandom() < faults.errors) {
    const status = errorRandom() < 0.5 ? 429 : 500;
    return fault(status);
  }
  if (faults.failingLists !== undefined && listsAll(request, faults.failingLists)) return fault(500);
  return server.handle(request);
}

function fault(status: number): ApiAnswer {
  return { status, body: { kind: 'Status', code: status, message: 'a simulated fault' } };
}

/** Whether it lists more than one object. */
function listsAll({ method, path, query }: ApiRequest, plural: string): boolean {
  return method === 'GET' && path.endsWith(`/${plural}`) && query['limit'] !== '1';
}

function refused(host: string, code: string): Error {
  return Object.assign(new Error(`connect ${code} ${host}`), { code });
}
