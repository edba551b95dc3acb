/**
 * The application of a pod: an HTTP server, a gRPC server, and a client that sends requests through the sidecar. Its
 * parent process controls it.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import process from 'node:process';
import { connect as connectTls } from 'node:tls';
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { Answer, Requested } from './requests.ts';

const LOOPBACK = '127.0.0.1';
const SIDECAR = 15001;
/** No request takes longer. */
const TIMEOUT_MS = 20_000;
const ECHO = '/shop.Echo/Say';
const bytes = (value: Buffer): Buffer => value;

interface Order {
  readonly id: number;
  readonly do: string;
  readonly [option: string]: unknown;
}

let name = '';
/** Requests by path. */
const seen = new Map<string, number>();
/** Number of requests still to fail, by path. */
const failing = new Map<string, number>();

const orders: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
  async serve({ as, http, grpc }) {
    name = String(as);
    if (typeof http === 'number') await serveHttp(http);
    if (typeof grpc === 'number') await serveGrpc(grpc);
  },
  ask: (order) => ask(order as unknown as Requested),
  say: ({ to, word }) => say(String(to), String(word)),
  seen: async ({ path }) => seen.get(String(path)) ?? 0,
  fail: async ({ path, times }) => void failing.set(String(path), Number(times)),
  bare: ({ host, port, tls }) => bare(String(host), Number(port), tls === true),
};

process.on('message', (order: Order) => {
  const { id } = order;
  const work = orders[order.do]?.(order) ?? Promise.reject(new Error(`unknown order ${order.do}`));
  work.then(
    (value) => process.send?.({ id, value }),
    (error: Error) => process.send?.({ id, error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

function serveHttp(port: number): Promise<void> {
  const server = createServer((requested, answer) => void answerTo(requested, answer));
  return new Promise((resolve) => server.listen(port, LOOPBACK, resolve));
}

async function answerTo({ url = '', method, headers }: IncomingMessage, answer: ServerResponse): Promise<void> {
  const path = url.split('?')[0] ?? '';
  seen.set(path, (seen.get(path) ?? 0) + 1);
  const fails = failing.get(path) ?? 0;
  if (fails > 0) failing.set(path, fails - 1);
  const wait = Number(new URL(url, 'http://x').searchParams.get('wait') ?? 0);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  answer.statusCode = fails > 0 ? 503 : 200;
  answer.end(JSON.stringify({ pod: name, url, method, headers }));
}

function serveGrpc(port: number): Promise<void> {
  const server = new Server();
  const method = {
    path: ECHO,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  } as const;
  server.addService(
    { say: method },
    {
      say: ({ request: word }: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) =>
        answer(null, Buffer.from(`${name}: ${word.toString()}`)),
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync(`${LOOPBACK}:${port}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

/** As an application with HTTP_PROXY set. */
function ask({ url, method = 'GET', headers = {} }: Requested): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: LOOPBACK, port: SIDECAR, method, path: url, agent: false, timeout: TIMEOUT_MS };
    const requested = request({ ...options, headers: { ...headers, host: new URL(url).host } });
    requested.on('timeout', () => requested.destroy(new Error('no answer')));
    requested.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, body: Buffer.concat(chunks).toString() });
      });
    });
    requested.end();
  });
}

/** As an application with a channel to its sidecar. */
function say(authority: string, word: string): Promise<string> {
  const channel = new Client(`${LOOPBACK}:${SIDECAR}`, credentials.createInsecure(), {
    'grpc.default_authority': authority,
  });
  const deadline = Date.now() + TIMEOUT_MS;
  return new Promise<string>((resolve, reject) => {
    channel.makeUnaryRequest(ECHO, bytes, bytes, Buffer.from(word), new Metadata(), { deadline }, (error, answer) =>
      error === null ? resolve(String(answer)) : reject(error),
    );
  }).finally(() => channel.close());
}

/** Without a sidecar: the result of a plaintext request, or of TLS without a client certificate. */
function bare(host: string, port: number, tls: boolean): Promise<string> {
  return new Promise((resolve) => {
    if (tls) {
      const socket = connectTls({
        host,
        port,
        servername: 'outbound_.9080_._.reviews.shop.svc.cluster.local',
        rejectUnauthorized: false,
      });
      socket.on('secureConnect', () => socket.write('GET / HTTP/1.1\r\nhost: reviews\r\n\r\n'));
      socket.on('data', (data: Buffer) => resolve(`answered ${data.toString('latin1', 0, 40)}`));
      socket.on('error', (error: Error) => resolve(`refused: ${error.message}`)).on('close', () => resolve('refused'));
      return;
    }
    const requested = request({
      host,
      port,
      path: '/',
      agent: false,
      timeout: TIMEOUT_MS,
      headers: { host: 'reviews.shop:9080' },
    });
    requested.on('response', ({ statusCode }) => resolve(`answered ${statusCode}`));
    requested.on('error', (error) => resolve(`refused: ${error.message}`));
    requested.end();
  });
}
