/** CAs for the workloads of a cluster, as their Secret stores them. */
import type { KeyObject } from 'node:crypto';
import {
  type CertificateAuthority,
  createCsr,
  createIntermediate,
  createRoot,
  generateKey,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';

export const NOW: Date = new Date('2030-06-15T12:00:00Z');
export const DOMAIN = trustDomain('east.example');

export async function root(domain: string = 'shop.meshrelay', now: Date = NOW): Promise<CertificateAuthority> {
  const key = await generateKey('workload-ca');
  return createRoot({ commonName: 'root', trustDomain: trustDomain(domain), days: 3650, now, key });
}

/** Secret data of an intermediate under a root, with its own key. */
export async function intermediate(
  under: CertificateAuthority,
  { days = 365, now = NOW, key }: { readonly days?: number; readonly now?: Date; readonly key?: KeyObject } = {},
): Promise<Record<string, string>> {
  const own = key ?? (await generateKey('agent'));
  const csrPem = await createCsr({ key: own });
  const options = { ca: under, csrPem, commonName: 'east', trustDomain: DOMAIN, constrained: true, days, now };
  const made = await createIntermediate(options);
  if (!made.ok) throw new Error(made.message);
  const rootPem = writeCertificates([under.certificate]);
  return {
    'ca-cert.pem': made.certificatePem,
    'ca-key.pem': writePrivateKey(own),
    'cert-chain.pem': `${made.chainPem}${rootPem}`,
    'root-cert.pem': rootPem,
  };
}
