/** A minimal HTTP client of API servers: tests see statuses, headers and bodies unchanged. */
import { Buffer } from 'node:buffer';
import { Agent, request as httpsRequest } from 'node:https';
import { parse } from 'yaml';

/** Address and credentials for the API server under test. */
export interface Target {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

/** A reply, read to the end. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: cases look into whatever the server sent
  readonly body: any;
}

/** Parts of a request other than method and path. */
export interface RequestOptions {
  /** Sent as JSON unless it is bytes or text. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  /** Null sends no credential. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: cases look into whatever the server sent
  readonly object: any;
}

/** An open watch. */
export interface Watch extends Disposable {
  readonly status: number;
  /** The next event, or undefined when the stream has ended. Rejects if no event arrives within some seconds. */
  next(): Promise<WatchEvent | undefined>;
}

/** Patch media types by the names that the cases use. */
export const PATCH = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Milliseconds a watch may stay silent while an event is due. */
const TIMEOUT_MS = 10_000;

/** A client of one server. */
export class Client implements Disposable {
  readonly #target: Target;
  readonly #agent: Agent;

  constructor(target: Target) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** The same server with another credential; null sends none. */
  get target(): Target {
    return this.#target;
  }

  /** Sends a request and reads the reply to the end. */
  send(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const request = this.#start(method, path, options);
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: json(text) });
      });
    });
    return promise;
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.send('GET', path, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Reply> {
    return this.send('POST', path, { ...options, body });
  }

  put(path: string, body: unknown, options?: RequestOptions): Promise<Reply> {
    return this.send('PUT', path, { ...options, body });
  }

  patch(path: string, kind: keyof typeof PATCH, body: unknown): Promise<Reply> {
    return this.send('PATCH', path, { body, type: PATCH[kind] });
  }

  delete(path: string, body?: unknown): Promise<Reply> {
    return this.send('DELETE', path, body === undefined ? {} : { body });
  }

  /** Opens a watch; resolves once the response headers arrive. */
  watch(path: string, options: RequestOptions = {}): Promise<Watch> {
    const { promise, resolve, reject } = Promise.withResolvers<Watch>();
    const request = this.#start('GET', `${path}${path.includes('?') ? '&' : '?'}watch=true`, options);
    request.on('error', reject);
    request.on('response', (response) => {
      const lines = linesOf(response);
      resolve({
        status: response.statusCode ?? 0,
        next: async () => {
          const { promise: late, reject: tooLate } = Promise.withResolvers<never>();
          const timer = setTimeout(() => tooLate(new Error(`no event within ${TIMEOUT_MS} ms: ${path}`)), TIMEOUT_MS);
          try {
            const { value, done } = await Promise.race([lines.next(), late]);
            return done === true ? undefined : (JSON.parse(value) as WatchEvent);
          } finally {
            clearTimeout(timer);
          }
        },
        [Symbol.dispose]: () => request.destroy(),
      });
    });
    return promise;
  }

  #start(method: string, path: string, { body, type, accept, token, headers }: RequestOptions) {
    const bytes =
      body === undefined ? undefined : Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    const credential = token === undefined ? this.#target.token : token;
    const request = httpsRequest(new URL(path, this.#target.url), {
      method,
      agent: this.#agent,
      headers: {
        'user-agent': 'conformance/1',
        accept: accept ?? 'application/json',
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...(bytes === undefined
          ? {}
          : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(bytes) }),
        ...headers,
      },
    });
    request.end(bytes);
    return request;
  }
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest = '';
  try {
    for await (const chunk of stream) {
      rest += chunk.toString();
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        yield rest.slice(0, end);
        rest = rest.slice(end + 1);
      }
    }
  } catch {
    // The case has closed the watch: no more events to read.
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The target of a kubeconfig with a token and an embedded CA. */
export function targetOf(kubeconfig: string): Target {
  const config = parse(kubeconfig);
  const context = config.contexts.find((each: { name: string }) => each.name === config['current-context']).context;
  const { cluster } = config.clusters.find((each: { name: string }) => each.name === context.cluster);
  const { user } = config.users.find((each: { name: string }) => each.name === context.user);
  return {
    url: cluster.server,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: user.token,
  };
}
