/** An HTTP endpoint of the simulator program: it adds, lists and removes faults, and lists the recorded writes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WriteRecord } from '../audit/write-history.ts';
import type { FaultPlan, PlannedFault } from '../faults/fault-plan.ts';
import { readBody } from '../http/body.ts';
import type { Address } from '../http/listen.ts';
import type { Json } from '../object.ts';
import { parseRule } from './parse-rule.ts';

export interface AdminOptions {
  /** Address to listen on: loopback only, since every client may do everything. */
  readonly address: Address;
  readonly faults: FaultPlan;
  /** The stored writes, oldest first. */
  readonly writes: () => readonly WriteRecord[];
}

export interface AdminServer extends AsyncDisposable {
  /** `http://host:port`. */
  readonly url: string;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/**
 * Starts the server: `GET`, `POST` and `DELETE /faults`, `DELETE /faults/ID`, `GET /writes?after=REVISION`.
 * @throws Error when the address is not on loopback or cannot be bound
 */
export async function startAdmin({ address, faults, writes }: AdminOptions): Promise<AdminServer> {
  const { host } = address;
  if (!LOOPBACK.includes(host)) throw new Error(`admin address ${host}: expected one of ${LOOPBACK.join(', ')}`);
  const server = createServer((request, response) => void respond(request, response, { faults, writes }));
  await bind(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Served = Omit<AdminOptions, 'address'>;

async function respond(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { code, body } = await answer(request, served).catch((error: unknown) => ({
    code: 400,
    body: { error: error instanceof Error ? error.message : String(error) },
  }));
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}

async function answer(request: IncomingMessage, { faults, writes }: Served): Promise<{ code: number; body: object }> {
  const { method = 'GET' } = request;
  // A web page that a browser on the same machine has open must not access this server.
  if (request.headers.origin !== undefined)
    return { code: 403, body: { error: 'browsers have no access: send the request without an Origin header' } };
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://admin');
  const [, id] = /^\/faults\/(\d+)$/.exec(pathname) ?? [];
  switch (`${method} ${id === undefined ? pathname : '/faults/ID'}`) {
    case 'GET /faults':
      return { code: 200, body: { items: faults.list().map(toJson) } };
    case 'POST /faults':
      return {
        code: 201,
        body: toJson(faults.add(parseRule(JSON.parse((await readBody(request)).toString()) as Json))),
      };
    case 'DELETE /faults':
      faults.clear();
      return { code: 200, body: { items: [] } };
    case 'DELETE /faults/ID': {
      const removed = faults.remove(Number(id));
      return removed
        ? { code: 200, body: { id: Number(id) } }
        : { code: 404, body: { error: `fault ${id} does not exist` } };
    }
    case 'GET /writes': {
      const after = Number(searchParams.get('after') ?? 0);
      return { code: 200, body: { items: writes().filter(({ revision }) => revision > after) } };
    }
    default:
      return { code: 404, body: { error: `no such endpoint: ${method} ${pathname}; use /faults or /writes` } };
  }
}

function toJson({ id, rule, struck }: PlannedFault): object {
  return { id, ...rule, struck };
}

function bind(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
