/** Authenticates callers: the default-deny check that every call passes first. */
import { Buffer } from 'node:buffer';
import type { Metadata } from '@grpc/grpc-js';
import { RelayError } from '../errors.ts';
import { ACCESS, CLUSTER_HEADER, type MethodName, TOKEN_HEADER } from './service.ts';

/** The result of checking a client certificate: the cluster of an agent, or the reason of the rejection. */
export type IdentifyResult = { readonly cluster: string } | { readonly refused: string };

/**
 * Checks a client certificate (PEM) that TLS verified against the client roots: names, purpose, times, revocation.
 * Exact matches only. The reason of a rejection goes to both logs.
 */
export type Identify = (certificatePem: string) => IdentifyResult | Promise<IdentifyResult>;

/**
 * Checks a token presented instead of a client certificate, for the cluster in the header. `id` names the token in
 * logs; it is not secret.
 */
export type IdentifyToken = (token: string, cluster: string) => TokenIdentity | Promise<TokenIdentity>;
export type TokenIdentity = { readonly id: string } | { readonly refused: string };

/** The parts of a call that are checked. grpc-js shows a peer certificate only when TLS verified it. */
export interface CallFacts {
  readonly metadata: Metadata;
  getAuthContext(): { readonly sslPeerCertificate?: { readonly raw: Uint8Array } };
}

/** The credential of a caller: its certificate in PEM, or the id of its token. */
export type Credential =
  | { readonly kind: 'certificate'; readonly pem: string }
  | { readonly kind: 'token'; readonly id: string };

/** An authenticated caller. */
export interface Caller {
  readonly cluster: string;
  readonly credential: Credential;
}

/** How callers are authenticated. */
export interface Admits {
  readonly identify: Identify;
  /** Without it, tokens are rejected. */
  readonly identifyToken?: IdentifyToken | undefined;
}

/**
 * Admits a call or throws. @returns the caller of a method that requires one. Undefined for a method that needs no
 * credential, and for a call without credential to a method that authenticates its caller itself.
 * @throws RelayError RELAY_E_UNAUTHENTICATED without a valid credential, RELAY_E_IDENTITY_MISMATCH when the header
 * contradicts
 *   it
 */
export async function authorize(method: string, call: CallFacts, admits: Admits): Promise<Caller | undefined> {
  const access = Object.hasOwn(ACCESS, method) ? ACCESS[method as MethodName] : 'none';
  if (access === 'anyone') return undefined;
  if (access === 'none') throw new RelayError('RELAY_E_IDENTITY_MISMATCH', `no client may call ${method}`);
  const raw = call.getAuthContext().sslPeerCertificate?.raw;
  const bearers = call.metadata.get(TOKEN_HEADER);
  if (bearers.length > (raw === undefined ? 1 : 0))
    throw new RelayError(
      'RELAY_E_IDENTITY_MISMATCH',
      'a call must authenticate either with a client certificate or with one token',
    );
  if (raw !== undefined) return byCertificate(call, toPem(raw), admits);
  if (bearers.length === 1) return byToken(call, String(bearers[0]), admits);
  if (access === 'holder') return undefined;
  throw new RelayError(
    'RELAY_E_UNAUTHENTICATED',
    `${method} needs a client certificate that a relay root has signed; register, or renew an expired one`,
  );
}

async function byCertificate(call: CallFacts, pem: string, { identify }: Admits): Promise<Caller> {
  const result = await identify(pem);
  if ('refused' in result) throw new RelayError('RELAY_E_UNAUTHENTICATED', result.refused);
  requireClusterHeader(call.metadata, result.cluster);
  return { cluster: result.cluster, credential: { kind: 'certificate', pem } };
}

/** The token is valid only for the cluster in the header. */
async function byToken(call: CallFacts, bearer: string, { identifyToken }: Admits): Promise<Caller> {
  if (identifyToken === undefined)
    throw new RelayError(
      'RELAY_E_UNAUTHENTICATED',
      'this server accepts client certificates only, and no tokens (relay.mode)',
    );
  const claimed = call.metadata.get(CLUSTER_HEADER);
  const cluster = String(claimed[0] ?? '');
  if (claimed.length !== 1 || cluster === '')
    throw new RelayError(
      'RELAY_E_IDENTITY_MISMATCH',
      `${CLUSTER_HEADER} must be given once and name the cluster of the token`,
    );
  const token = /^Bearer ([^\s]{1,256})$/.exec(bearer)?.[1];
  if (token === undefined)
    throw new RelayError(
      'RELAY_E_UNAUTHENTICATED',
      `${TOKEN_HEADER} must be "Bearer" and a token, as in "${TOKEN_HEADER}: Bearer TOKEN"`,
    );
  const result = await identifyToken(token, cluster);
  if ('refused' in result) throw new RelayError('RELAY_E_UNAUTHENTICATED', result.refused);
  return { cluster, credential: { kind: 'token', id: result.id } };
}

/**
 * The header must occur exactly once and equal the cluster, byte by byte.
 * @throws RelayError RELAY_E_IDENTITY_MISMATCH
 */
export function requireClusterHeader(metadata: Metadata, cluster: string): void {
  const values = metadata.get(CLUSTER_HEADER);
  if (values.length === 1 && values[0] === cluster) return;
  throw new RelayError(
    'RELAY_E_IDENTITY_MISMATCH',
    `${CLUSTER_HEADER} must be given once and equal the authenticated cluster, ${cluster}`,
  );
}

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
