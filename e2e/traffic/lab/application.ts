/** The application of a pod: answers HTTP on its ports and says who it is and what it got; sends requests when its parent says so. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import process from 'node:process';
import type { Answer, Answering, Sending } from './requests.ts';

interface Order {
  readonly id: number;
  readonly do: string;
  readonly [option: string]: unknown;
}

let name = '';
/** Requests that came, by path without the query. */
const received = new Map<string, number>();
/** How often requests came, by their ids: proxies that retry one leave its id. */
const attempts = new Map<string, number>();

const orders: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
  async serve({ as, ports }) {
    name = String(as);
    await Promise.all((ports as number[]).map(listen));
  },
  send: (order) => sendAll(order as unknown as Sending),
  received: async ({ path }) => received.get(String(path)) ?? 0,
};

process.on('message', (order: Order) => {
  const { id } = order;
  const work = orders[order.do]?.(order) ?? Promise.reject(new Error(`the application cannot ${order.do}`));
  work.then(
    (value) => process.send?.({ id, value }),
    (error: Error) => process.send?.({ id, error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

function listen(port: number): Promise<void> {
  const server = createServer((question, answer) => void answerTo(port, question, answer));
  return new Promise((resolve) => server.listen(port, '0.0.0.0', resolve));
}

/** What the request itself asks of whoever answers it: see {@link Sending}. */
async function answerTo(port: number, { url = '', method = '', headers }: IncomingMessage, answer: ServerResponse) {
  const path = url.split('?')[0] ?? '';
  received.set(path, (received.get(path) ?? 0) + 1);
  const wait = Number(headers['x-answer-after'] ?? 0);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  const id = String(headers['x-request-id']);
  const attempt = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, attempt);
  const failing = Number(headers['x-fail-attempts'] ?? 0);
  const failingPods = String(headers['x-fail-pods'] ?? '').split(',');
  const fails = attempt <= failing || failingPods.includes(name);
  answer.statusCode = fails ? Number(headers['x-fail-status'] ?? 503) : 200;
  answer.setHeader('x-server-header', 'application');
  answer.end(JSON.stringify({ pod: name, port, method, url, headers } satisfies Answering));
}

async function sendAll({ times = 1, together = 1, ...one }: Sending): Promise<Answer[]> {
  const answers: Answer[] = [];
  let left = times;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      answers.push(await send(one));
    }
  };
  await Promise.all(Array.from({ length: Math.min(times, together) }, sender));
  return answers;
}

/** On a connection of its own. */
function send({
  address,
  port,
  path,
  host,
  method = 'GET',
  headers = {},
  timeout = 15_000,
  localAddress,
}: Omit<Sending, 'times' | 'together'>): Promise<Answer> {
  const begun = performance.now();
  const took = (): number => Math.round(performance.now() - begun);
  return new Promise((resolve) => {
    const question = request({
      ...{ host: address, port, method, path, agent: false, timeout },
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
