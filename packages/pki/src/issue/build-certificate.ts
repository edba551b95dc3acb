/** Builds and signs a certificate from a template. */
import { Buffer } from 'node:buffer';
import { hash, type KeyObject, randomBytes } from 'node:crypto';
import {
  type Asn1,
  bitString,
  boolean,
  encode,
  encodedSequence,
  integer,
  octetString,
  oid,
  sequence,
  set,
  smallInteger,
  tagged,
  taggedOctets,
  time,
  utf8String,
} from '../asn1/der-build.ts';
import { readDer } from '../asn1/der-node.ts';
import { OID } from '../asn1/oids.ts';
import { type Certificate, readCertificate } from '../certificate/certificate.ts';
import type { PublicKey } from '../key/public-key.ts';
import { signBytes, signingAlgorithmIdentifier } from '../key/signature.ts';
import { ipOctets } from './ip-octets.ts';

/** The content of a certificate, defined by this package alone. */
export interface CertificateTemplate {
  readonly subject: { readonly organization: string; readonly commonName: string };
  readonly publicKey: PublicKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly names: { readonly uri?: string; readonly dns?: readonly string[]; readonly ip?: readonly string[] };
  /** A CA with the number of CAs allowed below it, or undefined for a leaf. */
  readonly ca?: {
    readonly pathLength: number /** The only trust domain allowed in the URIs of its leaves. */;
    readonly permittedTrustDomain?: string;
  };
  /** Object identifiers; empty for a CA. */
  readonly extendedKeyUsage: readonly string[];
}

/** The signer; a root leaves the members undefined. */
export interface Signer {
  readonly key: KeyObject;
  /** Undefined if the certificate signs itself. */
  readonly certificate?: Certificate;
}

/**
 * Key usage bits as one octet with its number of unused bits: keyCertSign and cRLSign for a CA, digitalSignature for a
 * leaf.
 */
const CA_USAGE = { octet: 0x06, unused: 1 };
const LEAF_USAGE = { octet: 0x80, unused: 7 };

/** A new certificate with a random serial number, parsed by the strict reader. */
export async function buildCertificate(template: CertificateTemplate, signer: Signer): Promise<Certificate> {
  const algorithm = signingAlgorithmIdentifier(signer.key);
  const spki = readDer(template.publicKey.der, 'public key');
  const subject = nameOf(template.subject);
  const issuer = signer.certificate
    ? encodedSequence(readDer(signer.certificate.subject.raw, 'issuer').content)
    : subject;
  const tbs = sequence(
    tagged(0, smallInteger(2)),
    integer(serialOctets()),
    algorithm,
    issuer,
    sequence(time(template.notBefore), time(template.notAfter)),
    subject,
    encodedSequence(spki.content),
    tagged(3, sequence(...extensionsOf(template, signer))),
  );
  const signature = await signBytes(encode(tbs), signer.key);
  return readCertificate(encode(sequence(tbs, algorithm, bitString(signature))));
}

/** Sixteen random octets. The first one is 0x40 to 0x7f, so that the number is positive and of constant length. */
function serialOctets(): Uint8Array {
  const octets = Uint8Array.from(randomBytes(16));
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets;
}

/** Leftmost 160 bits of SHA-256 of the key's bits (RFC 7093 method 1). */
function keyIdentifier(key: PublicKey): Uint8Array {
  return Uint8Array.from(Buffer.from(hash('sha256', key.bits, 'hex'), 'hex')).subarray(0, 20);
}

function nameOf({ organization, commonName }: CertificateTemplate['subject']): Asn1 {
  const attribute = (type: string, value: string): Asn1 => set(sequence(oid(type), utf8String(value)));
  return sequence(attribute(OID.organization, organization), attribute(OID.commonName, commonName));
}

function extensionsOf(template: CertificateTemplate, signer: Signer): Asn1[] {
  const { ca, names, extendedKeyUsage, publicKey } = template;
  const usage = ca ? CA_USAGE : LEAF_USAGE;
  const issuerKey =
    signer.certificate?.extensions.subjectKeyIdentifier ?? keyIdentifier(signer.certificate?.publicKey ?? publicKey);
  const alternative = generalNames(names);
  return [
    extension(OID.basicConstraints, true, ca ? sequence(boolean(true), smallInteger(ca.pathLength)) : sequence()),
    extension(OID.keyUsage, true, bitString(Uint8Array.of(usage.octet), usage.unused)),
    ...(extendedKeyUsage.length > 0
      ? [extension(OID.extendedKeyUsage, false, sequence(...extendedKeyUsage.map(oid)))]
      : []),
    extension(OID.subjectKeyIdentifier, false, octetString(keyIdentifier(publicKey))),
    extension(OID.authorityKeyIdentifier, false, sequence(taggedOctets(0, issuerKey))),
    ...(alternative.length > 0 ? [extension(OID.subjectAltName, false, sequence(...alternative))] : []),
    ...(ca?.permittedTrustDomain
      ? [extension(OID.nameConstraints, true, onlyTrustDomain(ca.permittedTrustDomain))]
      : []),
  ];
}

function extension(name: string, critical: boolean, value: Asn1): Asn1 {
  return sequence(oid(name), ...(critical ? [boolean(true)] : []), octetString(encode(value)));
}

function generalNames({ uri, dns = [], ip = [] }: CertificateTemplate['names']): Asn1[] {
  const ascii = (tag: number, value: string): Asn1 => taggedOctets(tag, Buffer.from(value, 'latin1'));
  return [
    ...(uri === undefined ? [] : [ascii(6, uri)]),
    ...dns.map((name) => ascii(2, name)),
    ...ip.map((address) => taggedOctets(7, ipOctets(address))),
  ];
}

/**
 * NameConstraints that permit URIs of one host only. DNS names are not restricted: istiod's own serving certificate
 * needs them.
 */
function onlyTrustDomain(domain: string): Asn1 {
  const subtree = sequence(taggedOctets(6, Buffer.from(domain, 'latin1')));
  return sequence(tagged(0, subtree));
}
