/** Ports for programs that cannot choose one themselves. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A loopback port that was free a moment ago. Another process may take it, so callers must retry with another port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
