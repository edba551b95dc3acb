/** Issues one certificate for one ServiceAccount, with a key generated in the agent. */

import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { XdsResource } from '@meshrelay/envoy-api/xds';
import { formatSpiffeId, generateKey, issueWorkloadCertificate, renewAt, writePrivateKey } from '@meshrelay/pki';
import { WORKLOAD_SECRETS } from '@meshrelay/relay-core';
import { certificateSecret } from './sds-secrets.ts';
import type { SigningCa } from './signing-ca.ts';

/** Stored result. */
export interface IssuedSvid {
  /** Resource for the ServiceAccount's proxies, including the key. */
  readonly resource: XdsResource;
  /** The CA that signed it. */
  readonly ca: string;
  readonly notAfter: Date;
  /** Time of its replacement. */
  readonly due: Date;
}

/**
 * Renewals are shifted by at most this fraction of the lifetime, so certificates issued together are not renewed
 * together.
 */
const SPREAD = 0.1;

/** @throws PkiError if the CA cannot sign it */
export async function issueSvid(
  ca: SigningCa,
  { namespace, serviceAccount }: VerifiedServiceAccount,
  { now, random }: { readonly now: () => Date; readonly random: () => number },
): Promise<IssuedSvid> {
  const key = await generateKey('workload');
  const identity = formatSpiffeId(ca.trustDomain, 'ns', namespace, 'sa', serviceAccount);
  const { certificate, chainPem } = await issueWorkloadCertificate({ ca: ca.authority, key, identity, now: now() });
  const parts = { chainPem, keyPem: writePrivateKey(key), version: certificate.fingerprint };
  return {
    resource: certificateSecret(WORKLOAD_SECRETS.certificate, parts),
    ca: ca.id,
    notAfter: certificate.notAfter,
    due: renewAt(certificate, { jitter: SPREAD * (2 * random() - 1) }),
  };
}
