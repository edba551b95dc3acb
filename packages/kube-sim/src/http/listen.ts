/** The HTTPS listener. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateAuthority } from '../certificates/certificate.ts';
import { type ApiServer, handleRequest } from './handle-request.ts';

/** A server that accepts connections. */
export interface Listener extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
}

/** Address to listen on; port 0 picks a free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** DNS names with which pods of a real cluster reach the API server. */
const CLUSTER_NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'localhost'];

/**
 * Starts listening; clients may present a certificate of the authority.
 * @throws Error when the address cannot be bound
 */
export async function listen(server: ApiServer, authority: CertificateAuthority, address: Address): Promise<Listener> {
  const { certificate, key } = authority.server([...CLUSTER_NAMES, '127.0.0.1', address.host]);
  const https = createServer(
    { key, cert: certificate, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
    (request, response) => void handleRequest(server, request, response),
  );
  // Watches are long-lived: only idle connections are closed.
  https.requestTimeout = 0;
  https.keepAliveTimeout = 90_000;
  await bind(https, address);
  const { port } = https.address() as AddressInfo;
  return {
    host: address.host,
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve, reject) => {
        https.close((error) => (error === undefined ? resolve() : reject(error)));
        https.closeAllConnections();
      }),
  };
}

function bind(https: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    https.once('error', reject);
    https.listen(port, host, () => {
      https.off('error', reject);
      resolve();
    });
  });
}
