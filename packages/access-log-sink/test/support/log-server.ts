/** A grpc-js server with the services of this package, and a client that sends as Envoy does. */
import { Buffer } from 'node:buffer';
import { Client, credentials, Server, ServerCredentials, type ServiceError } from '@grpc/grpc-js';
import { ACCESS_LOG_SERVICE, accessLogHandlers } from '../../src/service/access-log-handlers.ts';
import type { AccessLogSink } from '../../src/sink/access-log-sink.ts';

export interface LogServer extends AsyncDisposable {
  readonly port: number;
}

/** Listens on loopback. */
export async function serveLogs(sink: AccessLogSink): Promise<LogServer> {
  const server = new Server();
  server.addService(ACCESS_LOG_SERVICE, accessLogHandlers(sink));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  };
}

export interface LogClient {
  send(message: Buffer): void;
  /** Ends the stream. */
  end(): void;
  /** Aborts the stream. */
  cancel(): void;
  /** The status code at the end of the stream; 0 is OK. */
  readonly ended: Promise<number>;
  close(): void;
}

export function logClient(port: number): LogClient {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const pass = (bytes: Buffer): Buffer => bytes;
  const { promise, resolve } = Promise.withResolvers<number>();
  const answered = (error: ServiceError | null): void => resolve(error?.code ?? 0);
  const call = client.makeClientStreamRequest(ACCESS_LOG_SERVICE.streamAccessLogs.path, pass, Buffer.from, answered);
  call.on('error', () => undefined);
  return {
    send: (message) => call.write(message),
    end: () => call.end(),
    cancel: () => call.cancel(),
    ended: promise,
    close: () => client.close(),
  };
}
