/** Requests as applications send them with their sidecar as the HTTP proxy. */
import { request } from 'node:http';

/** The result of a request. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** By the names that applications use. */
export const LOANS = 'http://loans.library:8080/';
/** The port at which sidecars accept requests of their applications. */
export const SIDECAR_PORT = 15001;
/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

/** Sends a request through the sidecar at an address. */
export function ask(sidecar: string, url: string = LOANS): Promise<Answer> {
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { host: sidecar, port: SIDECAR_PORT, path: url, headers: { host }, agent: false };
    const requested = request({ ...options, timeout: ANSWER_WITHIN });
    requested.on('timeout', () => requested.destroy(new Error('no answer')));
    requested.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    requested.end();
  });
}
