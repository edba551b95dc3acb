/** Sends questions to the Envoy under test: with the identity of a caller, to a port. */
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** The caller; anonymous without a certificate. */
export interface Caller {
  readonly identity: string | undefined;
  readonly key?: string;
  readonly cert?: string;
}

export interface Question {
  readonly caller: Caller;
  /** The port that the caller dialled. */
  readonly port: number;
  readonly method: string;
  readonly path: string;
}

/** Keeps connections open for reuse by the same caller. */
export class Questions implements Disposable {
  readonly #agents = new Map<string, Agent>();

  /**
   * Whether a request is admitted.
   * @throws Error on any answer other than admission or rejection
   */
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

  /** Whether a TCP connection is admitted: the bytes are echoed. */
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

/** First sends the original destination, as a proxy in front would. */
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
