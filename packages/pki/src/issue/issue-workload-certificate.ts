/** Certificates of workloads: proxies use them as clients and as servers to prove their identity. */
import type { KeyObject } from 'node:crypto';
import { readDer } from '../asn1/der-node.ts';
import { OID } from '../asn1/oids.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { readPublicKey } from '../key/public-key.ts';
import { PkiError } from '../pki-error.ts';
import { caTrustDomain } from '../spiffe/ca-trust-domain.ts';
import { type SpiffeId, spiffeIdParts } from '../spiffe/spiffe-id.ts';
import { type CertificateAuthority, refuseUnlessValid } from './authority.ts';
import { buildCertificate } from './build-certificate.ts';
import { ORGANIZATION } from './create-root.ts';
import { type Issued, issued, validity } from './issued.ts';

/** Certificate options. */
export interface WorkloadCertificateOptions {
  readonly ca: CertificateAuthority;
  /** Either half. */
  readonly key: KeyObject;
  /** In the trust domain of the CA. */
  readonly identity: SpiffeId;
  /** Lifetime; 24 if omitted. Never after the end of the CA. */
  readonly hours?: number;
  readonly now: Date;
}

const HOURS = 24;

/**
 * Signs an X.509-SVID: CA:FALSE, digitalSignature, for clients and servers of TLS, one URI name, a random serial
 * number.
 * @throws RELAY_E_PKI_AUTHORITY when `ca` is not valid at `now`; RELAY_E_PKI_REQUEST for an identity of another trust
 *   domain, or one without a path
 */
export async function issueWorkloadCertificate(options: WorkloadCertificateOptions): Promise<Issued> {
  const { ca, key, identity, hours = HOURS, now } = options;
  refuseUnlessValid(ca, now);
  const { trustDomain, path } = spiffeIdParts(identity);
  const own = caTrustDomain(ca.certificate);
  if (trustDomain !== own || path === '')
    throw new PkiError(
      'RELAY_E_PKI_REQUEST',
      `workload certificate: ${identity} is not an identity of the CA's trust domain, ${own ?? 'which it does not name'}`,
    );
  const certificate = await buildCertificate(
    {
      subject: { organization: ORGANIZATION, commonName: 'workload' },
      publicKey: readPublicKey(readDer(publicKeyDer(key), 'public key'), 'public key'),
      ...validity(now, hours / 24, ca.certificate),
      names: { uri: identity },
      extendedKeyUsage: [OID.clientAuth, OID.serverAuth],
    },
    ca,
  );
  return issued(certificate, ca);
}
