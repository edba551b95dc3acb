/** Who calls: the default-deny judgement every call passes before anything else happens. */
import { Buffer } from 'node:buffer';
import type { Metadata } from '@grpc/grpc-js';
import { RelayError } from '../errors.ts';
import { ACCESS, CLUSTER_HEADER, type MethodName } from './service.ts';

/** What a client certificate proves: a cluster's agent, or nothing, and why. */
export type IdentifyResult = { readonly cluster: string } | { readonly refused: string };

/**
 * Judges a client certificate (PEM) that TLS found to chain to the client roots: names, purpose, times, revocation. Exact matches only. The reason of
 * a refusal goes to both logs.
 */
export type Identify = (certificatePem: string) => IdentifyResult | Promise<IdentifyResult>;

/** The parts of a call that are looked at. grpc-js shows a peer certificate only when TLS verified it. */
export interface CallFacts {
  readonly metadata: Metadata;
  getAuthContext(): { readonly sslPeerCertificate?: { readonly raw: Uint8Array } };
}

/** A caller that is whoever it says. */
export interface Caller {
  readonly cluster: string;
  readonly certificatePem: string;
}

/**
 * Lets a call through or throws. @returns the caller of a method that wants one; undefined for a method that anyone may call, and where a method
 * that judges its caller by itself is called without a certificate that TLS verified.
 * @throws RelayError RELAY_E_UNAUTHENTICATED without a verified certificate, RELAY_E_IDENTITY when the header contradicts it.
 */
export async function authorize(method: string, call: CallFacts, identify: Identify): Promise<Caller | undefined> {
  const access = Object.hasOwn(ACCESS, method) ? ACCESS[method as MethodName] : 'nobody';
  if (access === 'anyone') return undefined;
  if (access === 'nobody') throw new RelayError('RELAY_E_IDENTITY', `nobody may call ${method}`);
  const raw = call.getAuthContext().sslPeerCertificate?.raw;
  if (raw === undefined) {
    if (access === 'holder') return undefined;
    throw new RelayError(
      'RELAY_E_UNAUTHENTICATED',
      `${method} needs a client certificate that the relay's roots vouch for; register, or renew an expired one`,
    );
  }
  const certificatePem = toPem(raw);
  const result = await identify(certificatePem);
  if ('refused' in result) throw new RelayError('RELAY_E_UNAUTHENTICATED', result.refused);
  requireClusterHeader(call.metadata, result.cluster);
  return { cluster: result.cluster, certificatePem };
}

/** The header must be there exactly once and equal the cluster, to the byte. @throws RelayError RELAY_E_IDENTITY */
export function requireClusterHeader(metadata: Metadata, cluster: string): void {
  const values = metadata.get(CLUSTER_HEADER);
  if (values.length === 1 && values[0] === cluster) return;
  throw new RelayError(
    'RELAY_E_IDENTITY',
    `${CLUSTER_HEADER} must be given once and equal the identity proved, cluster ${cluster}`,
  );
}

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
