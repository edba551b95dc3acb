/** The ceiling: grpc-js with client certificates, bytes passed through as they are, every message echoed. */
import { Buffer } from 'node:buffer';
import { Client, type ClientDuplexStream, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import type { BenchAuthority, Credential } from './authority.ts';

const pass = (bytes: Buffer): Buffer => bytes;
const METHOD = {
  path: '/bench.Echo/Echo',
  requestStream: true,
  responseStream: true,
  requestSerialize: pass,
  requestDeserialize: pass,
  responseSerialize: pass,
  responseDeserialize: pass,
} as const;
const OPTIONS = { 'grpc-node.flow_control_window': 4 * 1024 * 1024, 'grpc.enable_channelz': 0 };

export interface Echo {
  readonly address: string;
  end(): void;
}

export async function startEcho({ roots, server: tls }: BenchAuthority): Promise<Echo> {
  const server = new Server(OPTIONS);
  server.addService({ Echo: METHOD }, {
    Echo: (call: ClientDuplexStream<Buffer, Buffer>) => {
      call.on('error', () => undefined);
      call.on('data', (bytes: Buffer) => {
        if (!call.write(bytes)) {
          call.pause();
          call.once('drain', () => call.resume());
        }
      });
      call.on('end', () => call.end());
    },
  } as never);
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) };
  const secure = ServerCredentials.createSsl(Buffer.from(roots), [pair], true);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', secure, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return { address: `127.0.0.1:${port}`, end: () => server.forceShutdown() };
}

export interface EchoClient {
  readonly call: ClientDuplexStream<Buffer, Buffer>;
  end(): void;
}

export function echoTo(address: string, roots: string, { key, certificate }: Credential): EchoClient {
  const tls = credentials.createSsl(Buffer.from(roots), Buffer.from(key), Buffer.from(certificate));
  const client = new Client(address, tls, { ...OPTIONS, 'grpc.use_local_subchannel_pool': 1 });
  const call = client.makeBidiStreamRequest(METHOD.path, pass, pass);
  call.on('error', () => undefined);
  return {
    call,
    end: () => {
      call.cancel();
      client.close();
    },
  };
}

/** Sends `count` messages and waits for all echoes. */
export function echoed({ call }: EchoClient, message: Buffer, count: number): Promise<void> {
  return new Promise((resolve) => {
    let [sent, back] = [0, 0];
    const write = (): void => {
      while (sent < count) {
        sent++;
        if (!call.write(message)) {
          call.once('drain', write);
          return;
        }
      }
    };
    const heard = (): void => {
      back++;
      if (back < count) return;
      call.off('data', heard);
      resolve();
    };
    call.on('data', heard);
    write();
  });
}
