/**
 * Secret of the CA that signs the agents' certificates for the Envoys of their cluster. `tls.crt` and `tls.key` sign;
 * Envoys receive `ca.crt`. No other trust depends on it, so it exists before any virtual mesh and never leaves the
 * cluster.
 */
import type { SecretData } from '@meshrelay/kube';
import {
  createRoot,
  readCertificates,
  readTrustBundle,
  renewDue,
  trustBundle,
  trustDomain,
  writePrivateKey,
  writeTrustBundle,
} from '@meshrelay/pki';

/**
 * Envoys read roots when they start. The next CA is published two years before the current one expires, and signs in
 * the last year.
 */
const ROOT_DAYS = 3650;
const PUBLISH = { fraction: 0.8 };
const SWITCH = { fraction: 0.9 };

export interface AuthorityMaking {
  /** Trust domain of the relay; it names the root. */
  readonly trustDomain: string;
  readonly cluster: string;
  readonly now: Date;
}

/** Creates the first CA. */
export async function newAuthority(making: AuthorityMaking): Promise<SecretData> {
  const { cert, key } = await root(making);
  return { 'tls.crt': cert, 'tls.key': key, 'ca.crt': cert };
}

/** New content of the Secret; undefined while it is up to date. */
export async function renewedAuthority(data: SecretData, making: AuthorityMaking): Promise<SecretData | undefined> {
  const { now } = making;
  const { 'tls.crt': pem = '' } = data;
  const [signing] = pem === '' ? [] : readCertificates(pem, 'CA for Envoys', { max: 10, allowText: true });
  if (signing === undefined) return newAuthority(making);
  const { 'next.crt': next, 'next.key': nextKey, ...current } = data;
  if (next === undefined || nextKey === undefined) {
    if (!renewDue(signing, now, PUBLISH)) return undefined;
    const made = await root(making);
    return {
      ...current,
      'next.crt': made.cert,
      'next.key': made.key,
      'ca.crt': bundle(data['ca.crt'], made.cert, now),
    };
  }
  if (!renewDue(signing, now, SWITCH)) return undefined;
  return { ...current, 'tls.crt': next, 'tls.key': nextKey, 'ca.crt': bundle(data['ca.crt'], next, now) };
}

async function root({ trustDomain: domain, cluster, now }: AuthorityMaking): Promise<{ cert: string; key: string }> {
  const { certificate, key } = await createRoot({
    commonName: `Meshrelay agent of ${cluster}`,
    trustDomain: trustDomain(domain),
    days: ROOT_DAYS,
    now,
  });
  return { cert: writeTrustBundle(trustBundle([certificate])), key: writePrivateKey(key) };
}

/** Both root bundles, without expired certificates. */
function bundle(roots: string | undefined, added: string, now: Date): string {
  const all = readTrustBundle(`${roots ?? ''}\n${added}`).roots;
  return writeTrustBundle(trustBundle(all.filter(({ notAfter }) => notAfter > now)));
}
