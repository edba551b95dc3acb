/** Sends one request, and reads its response. */
import { request } from 'node:http';
import { request as requestByTls } from 'node:https';
import type { Answer, Answering, Sending } from './requests.ts';

/** On a new connection. */
export function send({
  address,
  port,
  path,
  host,
  tls = false,
  method = 'GET',
  headers = {},
  timeout = 8000,
  localAddress,
}: Omit<Sending, 'times' | 'together'>): Promise<Answer> {
  const begun = performance.now();
  const took = (): number => Math.round(performance.now() - begun);
  return new Promise((resolve) => {
    const question = (tls ? requestByTls : request)({
      ...{ host: address, port, method, path, agent: false, timeout },
      ...(tls ? { servername: host.split(':')[0] ?? '', rejectUnauthorized: false } : {}),
      ...(localAddress === undefined ? {} : { localAddress }),
      headers: { ...headers, host },
    });
    const failed = (error: Error): void => resolve({ status: 0, headers: {}, body: error.message, took: took() });
    question.on('timeout', () => question.destroy(new Error(`no answer within ${timeout} ms`)));
    question.on('error', failed).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', failed);
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        const body = Buffer.concat(chunks).toString();
        resolve({ status, headers: got, body, took: took(), ...answeringOf(body) });
      });
    });
    question.end();
  });
}

function answeringOf(body: string): { readonly by?: Answering } {
  try {
    return { by: JSON.parse(body) as Answering };
  } catch {
    return {};
  }
}
