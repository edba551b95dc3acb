/** The baselines: grpc-js over TLS on loopback, with one bidirectional method whose messages are raw bytes. */
import { Buffer } from 'node:buffer';
import {
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from '@grpc/grpc-js';

/** The server's end of a stream. */
export type BareCall = ServerDuplexStream<Buffer, Buffer>;

/** PEM, as for every end below. */
export interface BareServerTls {
  readonly key: string;
  readonly certificate: string;
  /** Roots of the clients' certificates; without them clients need none. */
  readonly clientRoots?: string;
}

export interface BareServer {
  readonly address: string;
  readonly port: number;
  end(): void;
}

/** @param methods handlers of calls, by the method's path */
export async function serveBare(
  { key, certificate, clientRoots }: BareServerTls,
  methods: Readonly<Record<string, (call: BareCall) => void>>,
  options: ChannelOptions = {},
): Promise<BareServer> {
  const server = new Server(options);
  const paths = Object.keys(methods);
  server.addService(
    Object.fromEntries(paths.map((path) => [path, bareMethod(path)])),
    Object.fromEntries(Object.entries(methods).map(([path, handle]) => [path, listened(handle)])),
  );
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
  const roots = clientRoots === undefined ? null : Buffer.from(clientRoots);
  const secure = ServerCredentials.createSsl(roots, [pair], roots !== null);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', secure, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return { address: `127.0.0.1:${port}`, port, end: () => server.forceShutdown() };
}

export interface BareClientOptions {
  readonly address: string;
  readonly roots: string;
  /** The client's certificate, if any. */
  readonly credential?: { readonly key: string; readonly certificate: string };
  readonly path: string;
  readonly channel?: ChannelOptions;
}

export interface BareClient {
  readonly call: ClientDuplexStream<Buffer, Buffer>;
  end(): void;
}

/** Opens a stream on a new connection. */
export function openBare({ address, roots, credential, path, channel }: BareClientOptions): BareClient {
  const [key, certificate] = [credential?.key, credential?.certificate].map((pem) =>
    pem === undefined ? null : Buffer.from(pem),
  );
  const tls = credentials.createSsl(Buffer.from(roots), key, certificate);
  const client = new Client(address, tls, { ...channel, 'grpc.use_local_subchannel_pool': 1 });
  const call = client.makeBidiStreamRequest(path, pass, pass);
  call.on('error', () => undefined);
  return {
    call,
    end: () => {
      call.cancel();
      client.close();
    },
  };
}

/** Raw bytes. */
export const pass = (bytes: Buffer): Buffer => bytes;

function bareMethod(path: string) {
  return {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  } as const;
}

/** A client that disconnects is not an error. */
function listened(handle: (call: BareCall) => void): (call: BareCall) => void {
  return (call) => {
    call.on('error', () => undefined);
    handle(call);
  };
}
