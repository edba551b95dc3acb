/**
 * Requests a certificate from the server: with a token, over a connection that uses the current certificate, or with a
 * proof if that has expired.
 */
import { provePossession, readPrivateKey } from '@meshrelay/pki';
import { type RelayConnection, RelayError, type RenewResponse } from '@meshrelay/relay-protocol';
import type { ClientCertificate } from './client-certificate.ts';
import type { PendingRequest, Received } from './client-secret.ts';

/** Opens a connection, with the certificate if given. */
export type DialRelay = (
  certificate: ClientCertificate | undefined,
) => Pick<RelayConnection, 'register' | 'renew' | 'close'>;

const NOTHING = new Uint8Array();

/** Exchanges a token for a certificate. Sends nothing of it before the server is verified. @throws RelayError */
export async function registerByToken(
  dial: DialRelay,
  { csrPem }: PendingRequest,
  { token, program }: { readonly token: string; readonly program: string },
): Promise<Received> {
  const connection = dial(undefined);
  try {
    return await connection.register({ token, csrPem, program });
  } finally {
    connection.close();
  }
}

/** Renews a valid certificate: the handshake proves its key. @throws RelayError */
export async function renewByConnection(
  dial: DialRelay,
  present: ClientCertificate,
  { csrPem }: PendingRequest,
): Promise<Received> {
  const connection = dial(present);
  try {
    return received(await connection.renew({ csrPem, expiredCertificatePem: '', challenge: NOTHING, proof: NOTHING }));
  } finally {
    connection.close();
  }
}

/** Renews an expired certificate: its key signs the server's challenge. @throws RelayError */
export async function renewByProof(
  dial: DialRelay,
  expired: ClientCertificate,
  { csrPem }: PendingRequest,
): Promise<Received> {
  // Without a client certificate: no server would accept the expired one.
  const connection = dial(undefined);
  try {
    const request = { csrPem, expiredCertificatePem: expired.certificate };
    const { challenge } = await connection.renew({ ...request, challenge: NOTHING, proof: NOTHING });
    const proof = await provePossession(readPrivateKey(expired.key), { challenge, csrPem });
    return received(await connection.renew({ ...request, challenge, proof }));
  } finally {
    connection.close();
  }
}

function received({ certificatePem, rootsPem }: RenewResponse): Received {
  if (certificatePem === '')
    throw new RelayError('RELAY_E_PROTOCOL', 'the server answered a renewal without a certificate');
  return { certificatePem, rootsPem };
}
