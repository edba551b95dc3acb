/**
 * The baseline of a write to an API server: node:https on connections that stay open, and a watch that is read line by
 * line.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { ApiServerPlace } from './api-server-process.ts';

export class BareApi implements Disposable {
  readonly #place: ApiServerPlace;
  readonly #agent: Agent;

  constructor(place: ApiServerPlace) {
    this.#place = place;
    this.#agent = new Agent({ keepAlive: true, ca: place.ca });
  }

  /** Server-side apply. @throws Error with the server's message if it rejects it */
  async apply(path: string, object: unknown): Promise<void> {
    const query = '?fieldManager=bench&force=true';
    const answer = await this.#ask('PATCH', `${path}${query}`, JSON.stringify(object));
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    if ((answer.statusCode ?? 500) >= 300) throw new Error(`PATCH ${path}: ${answer.statusCode} ${text}`);
  }

  /** Calls back with each line of a watch, as text; resolves once it is open. */
  async watch(path: string, line: (text: string) => void): Promise<void> {
    const answer = await this.#ask('GET', `${path}?watch=true`);
    let begun = '';
    answer.setEncoding('utf8').on('data', (text: string) => {
      const lines = (begun + text).split('\n');
      begun = lines.pop() ?? '';
      for (const whole of lines) line(whole);
    });
    // Errors at the end, when the API server or this client closes.
    answer.on('error', () => undefined);
  }

  async #ask(method: string, path: string, body?: string): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${this.#place.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/apply-patch+yaml' }),
    };
    const requested = request(new URL(path, this.#place.url), { method, headers, agent: this.#agent });
    requested.end(body);
    const [answer] = (await once(requested, 'response')) as [IncomingMessage];
    return answer;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
