/**
 * What the replicas of one program know each other by: a Secret that only they may read. It holds a server's key and certificate, whose CA signed nothing
 * else and is forgotten, and a token. Who listens proves to have the key, who calls shows the token, to nobody but the holder of the key.
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

/** In PEM, but for the name and the token. */
export interface PeerKeys {
  /** In the certificate. */
  readonly name: string;
  readonly key: string;
  readonly certificate: string;
  readonly root: string;
  readonly token: string;
}

/** Days for which they hold; others are made in the second half. */
const DAYS = 90;

export async function makePeerKeys({ name }: PeerGroup, now: Date): Promise<SecretData> {
  const ca = await createRoot({ commonName: name, trustDomain: trustDomain(name), days: DAYS, now });
  const key = await generateKey('relay-server');
  const issued = await issueServerCertificate({ ca, key, dnsNames: [name], days: DAYS, now });
  if (!issued.ok) throw new Error(`a certificate for our own key was refused: ${issued.message}`);
  return {
    'tls.key': writePrivateKey(key),
    'tls.crt': issued.chainPem,
    'ca.crt': writeCertificates([ca.certificate]),
    token: createToken().reveal(),
  };
}

/** What the Secret holds; undefined where it is not whole. */
export function readPeerKeys({ name }: PeerGroup, data: SecretData): PeerKeys | undefined {
  const { 'tls.key': key, 'tls.crt': certificate, 'ca.crt': root, token } = data;
  if (key === undefined || certificate === undefined || root === undefined) return undefined;
  return token === undefined || token.length < 16 ? undefined : { name, key, certificate, root, token };
}

/** Whether others are to be made: these are not whole, cannot be read, or are in the second half of their life. */
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
