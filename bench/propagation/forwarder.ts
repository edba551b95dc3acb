/** The ceiling of propagation: bare grpc-js with client certificates, every message of one stream forwarded on the other, and back. */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from '@grpc/grpc-js';
import type { BenchAuthority, Credential } from '../relay/authority.ts';

const pass = (bytes: Buffer): Buffer => bytes;
const shape = {
  requestStream: true,
  responseStream: true,
  requestSerialize: pass,
  requestDeserialize: pass,
  responseSerialize: pass,
  responseDeserialize: pass,
} as const;
const METHODS = { Near: { ...shape, path: '/bench.Forward/Near' }, Far: { ...shape, path: '/bench.Forward/Far' } };

type Stream = ClientDuplexStream<Buffer, Buffer>;

/** Two clients of one server: what one writes, the other gets, and its answer goes back. */
export class Forwarder implements Disposable {
  readonly #near: Stream;
  readonly #end: () => void;

  private constructor(near: Stream, end: () => void) {
    this.#near = near;
    this.#end = end;
  }

  static async start(authority: BenchAuthority, [near, far]: readonly [Credential, Credential]): Promise<Forwarder> {
    const { roots, server: tls } = authority;
    const server = new Server();
    let [there, back]: Array<ServerDuplexStream<Buffer, Buffer> | undefined> = [];
    server.addService(METHODS, {
      Near: (call: ServerDuplexStream<Buffer, Buffer>) => {
        back = call;
        call.on('error', () => undefined).on('data', (bytes: Buffer) => there?.write(bytes));
      },
      Far: (call: ServerDuplexStream<Buffer, Buffer>) => {
        there = call;
        call.on('error', () => undefined).on('data', (bytes: Buffer) => back?.write(bytes));
        call.write(Buffer.alloc(1));
      },
    } as never);
    const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) };
    const secure = ServerCredentials.createSsl(Buffer.from(roots), [pair], true);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', secure, (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    const clients = [near, far].map(
      ({ key, certificate }) =>
        new Client(
          `127.0.0.1:${port}`,
          credentials.createSsl(Buffer.from(roots), Buffer.from(key), Buffer.from(certificate)),
          { 'grpc.use_local_subchannel_pool': 1 },
        ),
    );
    const [nearCall, farCall] = [METHODS.Near, METHODS.Far].map(({ path }, at) =>
      (clients[at] as Client).makeBidiStreamRequest(path, pass, pass),
    ) as [Stream, Stream];
    for (const call of [nearCall, farCall]) call.on('error', () => undefined);
    await once(farCall, 'data');
    farCall.on('data', (bytes: Buffer) => farCall.write(bytes));
    return new Forwarder(nearCall, () => {
      for (const call of [nearCall, farCall]) call.cancel();
      for (const client of clients) client.close();
      server.forceShutdown();
    });
  }

  /** There and back. */
  async send(bytes: Buffer): Promise<void> {
    const answered = once(this.#near, 'data');
    this.#near.write(bytes);
    await answered;
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
