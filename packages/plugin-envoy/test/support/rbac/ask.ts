/** Asks the judge: as somebody, of a port. */
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Who asks; without a certificate it is nobody. */
export interface Caller {
  readonly identity: string | undefined;
  readonly key?: string;
  readonly cert?: string;
}

export interface Question {
  readonly caller: Caller;
  /** What the caller dialled. */
  readonly port: number;
  readonly method: string;
  readonly path: string;
}

/** Connections that are kept for who asks again. */
export class Questions implements Disposable {
  readonly #agents = new Map<string, Agent>();

  /** Whether a request is let in. @throws Error on any other answer than yes and no */
  request(at: number, court: string, { caller, port, method, path }: Question): Promise<boolean> {
    const id = `${caller.identity} ${port}`;
    const agent = this.#agents.get(id) ?? agentFor(at, caller, port);
    this.#agents.set(id, agent);
    return new Promise((resolve, reject) => {
      const requested = request({
        agent,
        method,
        path,
        host: '127.0.0.1',
        port: at,
        headers: { host: `${court}.test` },
      });
      requested.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200 || response.statusCode === 403) resolve(response.statusCode === 200);
          else reject(new Error(`${method} ${path} of ${court}: ${response.statusCode}`));
        });
      });
      requested.end();
    });
  }

  /** Whether bytes are let in: they come back. */
  connection(at: number, court: string, { caller, port }: Question): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const socket = dial(at, caller, port, `${court}.test`);
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') resolve(false);
        else reject(error);
      });
      socket
        .on('close', () => resolve(false))
        .on('data', () => {
          resolve(true);
          socket.destroy();
        });
      socket.on('secureConnect', () => socket.write('word'));
    });
  }

  [Symbol.dispose](): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

function agentFor(at: number, caller: Caller, port: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => dial(at, caller, port, undefined);
  return agent;
}

/** Says first where the connection was to go, as a proxy before it would. */
function dial(at: number, { key, cert }: Caller, port: number, servername: string | undefined): TLSSocket {
  const socket = connect(at, '127.0.0.1');
  socket.write(`PROXY TCP4 10.9.9.9 10.0.0.1 40000 ${port}\r\n`);
  return connectTls({
    socket,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
    ...(key === undefined || cert === undefined ? {} : { key, cert }),
  });
}
