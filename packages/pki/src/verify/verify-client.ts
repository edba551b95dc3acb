/**
 * Identifies a client by a certificate of an external issuer: returns its names, once the chain to the issuer is
 * verified.
 */
import { OID } from '../asn1/oids.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { KEY_USAGE } from '../certificate/extensions.ts';
import { isMalformed } from '../pki-error.ts';
import type { Path } from './check-path.ts';
import { findTrusted, type Presented } from './find-trusted.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** The names of a certificate, unchanged: not folded, decoded or trimmed. */
export interface ClientNames {
  readonly uris: readonly string[];
  readonly dnsNames: readonly string[];
  /** Common names of its subject. */
  readonly commonNames: readonly string[];
}

/** A client certificate whose chain satisfies every rule. */
export interface VerifiedClient {
  readonly ok: true;
  readonly names: ClientNames;
  readonly certificate: Certificate;
  /** Leaf first, trusted issuer last. */
  readonly path: Path;
}

/**
 * Verifies a chain for TLS client authentication. Every certificate in `roots` is a trust anchor, including a CA below
 * a root, so that one issuer can be trusted without its siblings. Never throws for data from the peer.
 */
export function verifyClient(options: Presented): VerifiedClient | VerifyFailure {
  try {
    const trusted = findTrusted(options, { usage: 'client', leafGrace: 0 });
    return trusted.ok ? verify(trusted.path) : trusted;
  } catch (error) {
    if (isMalformed(error)) return refuse('malformed', error.message);
    throw error;
  }
}

function verify(path: Path): VerifiedClient | VerifyFailure {
  const [leaf] = path;
  const { extendedKeyUsage, keyUsage } = leaf.extensions;
  // A certificate without a purpose was issued for another one.
  if (extendedKeyUsage?.includes(OID.clientAuth) !== true)
    return refuse('extended-key-usage', 'leaf certificate: extended key usage clientAuth is missing');
  if (keyUsage !== undefined && !keyUsage.has(KEY_USAGE.digitalSignature))
    return refuse('key-usage', 'leaf certificate: its key usage lacks digitalSignature');
  return { ok: true, names: namesOf(leaf), certificate: leaf, path };
}

function namesOf({ subject, extensions }: Certificate): ClientNames {
  const of = (kind: 'uri' | 'dns'): string[] =>
    (extensions.subjectAltNames ?? []).flatMap((name) => (name.kind === kind ? [name.value] : []));
  return { uris: of('uri'), dnsNames: of('dns'), commonNames: subject.commonNames };
}
