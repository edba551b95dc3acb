/** Listeners of the service proxy. */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { connect, createServer, type Socket } from 'node:net';
import type { Backend } from './forwardings.ts';

/** Milliseconds until a client of UDP counts as gone. */
const UDP_CLIENT_MS = 10_000;

type Listen = (
  at: Backend,
  /** Chosen for each connection; without one the connection is closed. */
  backend: () => Backend | undefined,
  failed: (error: Error) => void,
) => () => void;

export const listenTcp: Listen = ({ address, port }, backend, failed) => {
  const connections = new Set<Socket>();
  const server = createServer((client) => {
    const to = backend();
    if (to === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: to.address, port: to.port });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      connections.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => connections.delete(one));
      one.pipe(other);
    }
  });
  server.on('error', failed);
  server.listen(port, address);
  return () => {
    server.close();
    for (const connection of connections) connection.destroy();
  };
};

export const listenUdp: Listen = ({ address, port }, backend, failed) => {
  const server = createSocket('udp4');
  /** A socket for each client, which receives the answers. */
  const clients = new Map<string, DatagramSocket>();
  server.on('error', failed);
  server.on('message', (message, { address: from, port: fromPort }) => {
    const key = `${from}:${fromPort}`;
    const to = backend();
    if (to === undefined) return;
    let client = clients.get(key);
    if (client === undefined) {
      client = createSocket('udp4');
      const end = (): void => {
        if (clients.delete(key)) client?.close();
      };
      const timer = setTimeout(end, UDP_CLIENT_MS);
      client.on('error', end);
      client.on('close', () => clearTimeout(timer));
      client.on('message', (answer) => server.send(answer, fromPort, from));
      clients.set(key, client);
    }
    client.send(message, to.port, to.address);
  });
  server.bind(port, address);
  return () => {
    server.close();
    for (const client of clients.values()) client.close();
  };
};
