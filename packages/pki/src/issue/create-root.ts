/** Self-signed roots: of the relay (for a demo or a small installation) and of a mesh. */
import type { KeyObject } from 'node:crypto';
import { readDer } from '../asn1/der-node.ts';
import { generateKey, type KeyPurpose } from '../key/generate-key.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { readPublicKey } from '../key/public-key.ts';
import { formatSpiffeId, type TrustDomain } from '../spiffe/spiffe-id.ts';
import { authority, type CertificateAuthority } from './authority.ts';
import { buildCertificate } from './build-certificate.ts';
import { validity } from './issued.ts';

/** Content of the new root. */
export interface RootOptions {
  readonly commonName: string;
  readonly trustDomain: TrustDomain;
  readonly days: number;
  readonly now: Date;
  /** Its key, or the purpose of the new key. Without either, a key for a relay CA is generated. */
  readonly key?: KeyObject;
  readonly keyPurpose?: Extract<KeyPurpose, 'relay-ca' | 'mesh-ca'>;
  /** Bits of the modulus, if configured. */
  readonly keyBits?: number;
  /** Organization in its subject; default: {@link ORGANIZATION}. */
  readonly organization?: string;
}

/** The organization in the subjects of issued certificates. */
export const ORGANIZATION = 'Meshrelay';

/** A new root that may sign leaves and one level of CAs below it. */
export async function createRoot(options: RootOptions): Promise<CertificateAuthority> {
  const key = options.key ?? (await generateKey(options.keyPurpose ?? 'relay-ca', options.keyBits));
  const certificate = await buildCertificate(
    {
      subject: { organization: options.organization ?? ORGANIZATION, commonName: options.commonName },
      publicKey: readPublicKey(readDer(publicKeyDer(key), 'public key'), 'public key'),
      ...validity(options.now, options.days),
      names: { uri: formatSpiffeId(options.trustDomain) },
      ca: { pathLength: 1 },
      extendedKeyUsage: [],
    },
    { key },
  );
  return authority(certificate, key, []);
}
