/**
 * The application of a pod. It answers HTTP of any version on its ports with its identity and the received request. It
 * sends requests when its parent process asks for them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import type { Answer, Answering, Sending } from './requests.ts';
import { send } from './send.ts';

interface Order {
  readonly id: number;
  readonly do: string;
  readonly [option: string]: unknown;
}

const LOOPBACK = '127.0.0.1';
const TLS_HANDSHAKE = 0x16;
const HTTP2_PREFACE = 'PRI * HTTP/2';

let name = '';
/** Received requests, by path without the query. */
const received = new Map<string, number>();
/** How often requests arrived, by id: proxies that retry a request keep its id. */
const attempts = new Map<string, number>();
/** Received requests, by their header `x-call`. */
const visits = new Map<string, number>();

const orders: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
  async serve({ as, ports, chain, key }) {
    name = String(as);
    await Promise.all((ports as number[]).map((port) => listen(port, { cert: String(chain), key: String(key) })));
  },
  send: (order) => sendAll(order as unknown as Sending),
  received: async ({ path }) => received.get(String(path)) ?? 0,
  visits: async ({ prefix }) => Object.fromEntries([...visits].filter(([call]) => call.startsWith(String(prefix)))),
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

/** Forwards connections of the port to the server of their protocol. */
async function listen(port: number, certificate: { readonly cert: string; readonly key: string }): Promise<void> {
  const answering = (question: IncomingMessage, answer: ServerResponse): void => void answerTo(port, question, answer);
  // Idle connections never end: a request that Envoy sends on one at that moment would fail.
  const idle = { keepAliveTimeout: 0 };
  const servers = {
    http: createServer(idle, answering),
    tls: createHttpsServer({ ...certificate, ...idle }, answering),
    http2: createHttp2Server((question, answer) =>
      answering(question as unknown as IncomingMessage, answer as unknown as ServerResponse),
    ),
  };
  for (const server of Object.values(servers)) await listening(server, 0, LOOPBACK);
  const entry = createTcpServer((socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (start: Buffer) => {
      const { port: inner } = servers[protocolOf(start)].address() as AddressInfo;
      const server = connect(inner, LOOPBACK);
      server.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('close', () => server.destroy());
      server.write(start);
      socket.pipe(server).pipe(socket);
    });
  });
  await listening(entry, port, '0.0.0.0');
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve) => server.listen(port, host, resolve));
}

/** By the first bytes of a connection. */
function protocolOf(start: Buffer): 'http' | 'http2' | 'tls' {
  if (start[0] === TLS_HANDSHAKE) return 'tls';
  return start.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE ? 'http2' : 'http';
}

/** Options in the request for the responding application: see {@link Sending}. */
async function answerTo(port: number, { url = '', method = '', headers }: IncomingMessage, answer: ServerResponse) {
  const path = url.split('?')[0] ?? '';
  received.set(path, (received.get(path) ?? 0) + 1);
  const call = headers['x-call']?.toString();
  if (call !== undefined) visits.set(call, (visits.get(call) ?? 0) + 1);
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
