/**
 * Mutual authentication of the replicas of one program, by a Secret that only they may read. It holds a server key and
 * certificate, whose CA signed nothing else and is discarded, and a token. The listener proves that it has the key; the
 * caller sends the token, to a holder of the key only.
 */

import type { SecretData } from '@meshrelay/kube';
import {
  createRoot,
  createToken,
  generateKey,
  issueServerCertificate,
  readCertificates,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import type { PeerGroup } from './peer-group.ts';

/** In PEM, except the name and the token. */
export interface PeerKeys {
  /** Name in the certificate. */
  readonly name: string;
  readonly key: string;
  readonly certificate: string;
  readonly root: string;
  readonly token: string;
}

/** Days of validity; the keys are replaced in the second half. */
const DAYS = 90;

export async function makePeerKeys({ name }: PeerGroup, now: Date): Promise<SecretData> {
  const ca = await createRoot({ commonName: name, trustDomain: trustDomain(name), days: DAYS, now });
  const key = await generateKey('relay-server');
  const issued = await issueServerCertificate({ ca, key, dnsNames: [name], days: DAYS, now });
  if (!issued.ok) throw new Error(`the certificate for this replica's key was rejected: ${issued.message}`);
  return {
    'tls.key': writePrivateKey(key),
    'tls.crt': issued.chainPem,
    'ca.crt': writeCertificates([ca.certificate]),
    token: createToken().reveal(),
  };
}

/** The content of the Secret; undefined if it is incomplete. */
export function readPeerKeys({ name }: PeerGroup, data: SecretData): PeerKeys | undefined {
  const { 'tls.key': key, 'tls.crt': certificate, 'ca.crt': root, token } = data;
  if (key === undefined || certificate === undefined || root === undefined) return undefined;
  return token === undefined || token.length < 16 ? undefined : { name, key, certificate, root, token };
}

/** Whether to replace the keys: they are incomplete, unreadable, or in the second half of their validity. */
export function isDue(keys: PeerKeys | undefined, now: Date): boolean {
  if (keys === undefined) return true;
  try {
    const [certificate] = readCertificates(keys.certificate, `the certificate of ${keys.name}`, { max: 4 });
    if (certificate === undefined) return true;
    const [from, to] = [certificate.notBefore.getTime(), certificate.notAfter.getTime()];
    return now.getTime() >= from + (to - from) / 2;
  } catch {
    return true;
  }
}
