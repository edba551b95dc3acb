/**
 * A service of Bookinfo, which runs in its pod. It answers with its name, and with what the services that it calls have
 * answered. At its control port, the story makes it send requests, and makes it unready.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import process from 'node:process';

/** The address in the pod whose connections are redirected to the sidecar. */
const OUTBOUND = '192.0.2.1';
const PORT = 9080;
const CONTROL_PORT = 9081;
/** On a busy machine. */
const TIMEOUT_MS = 30_000;

const { NAME = '', CLUSTER = '', CALLS = '' } = process.env;
let isReady = true;

createServer(answerCaller).listen(PORT);
createServer(control).listen(CONTROL_PORT);
process.once('SIGTERM', () => process.exit());

async function answerCaller(question: IncomingMessage, response: ServerResponse): Promise<void> {
  const names = CALLS.split(',').filter((name) => name !== '');
  const calls = await Promise.all(names.map((name) => send(new URL(`http://${name}:${PORT}${question.url}`))));
  const isComplete = isReady && calls.every(({ status }) => status === 200);
  const bodies = Object.fromEntries(names.map((name, index) => [name, calls[index]]));
  answer(response, isComplete ? 200 : 502, { name: NAME, cluster: CLUSTER, calls: bodies });
}

async function control({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://control');
  if (pathname === '/send') {
    answer(response, 200, await send(new URL(searchParams.get('url') ?? ''), searchParams.get('address') ?? undefined));
    return;
  }
  if (pathname !== '/ready') isReady = pathname === '/recover';
  answer(response, isReady || pathname === '/fail' ? 200 : 503, { isReady });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Answer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: object;
  readonly body: string;
}

/** Sends a request through the sidecar. @param address of the host, if DNS does not know it */
function send(url: URL, address = url.hostname): Promise<Answer> {
  const options = { host: address, port: url.port, path: url.pathname, headers: { host: url.host } };
  return new Promise((resolve) => {
    const failed = ({ message }: Error): void => resolve({ status: 0, headers: {}, body: message });
    const sent = request({ ...options, agent: false, localAddress: OUTBOUND, timeout: TIMEOUT_MS });
    sent.on('error', failed);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', failed);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.end();
  });
}
