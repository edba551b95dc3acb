/** X.509 certificates as data: parsed strictly once, then checked by the rules in `verify`. */
import { Buffer } from 'node:buffer';
import { hash, X509Certificate } from 'node:crypto';
import { DerFields } from '../asn1/der-fields.ts';
import { type DerNode, readDer } from '../asn1/der-node.ts';
import { readInteger, readOctetAlignedBits, readSmallInteger, readTime, TAG } from '../asn1/der-values.ts';
import { type PublicKey, readPublicKey } from '../key/public-key.ts';
import type { Signed } from '../key/signature.ts';
import { readPemDer, writePem } from '../pem.ts';
import { malformed } from '../pki-error.ts';
import { type DistinguishedName, readName, sameName } from './distinguished-name.ts';
import { type Extensions, readExtensions, readRawExtensions } from './extensions.ts';
import { ReadLately } from './read-lately.ts';

/** A parsed certificate. Its trust, validity and form are not checked yet. */
export interface Certificate extends Signed {
  readonly der: Uint8Array;
  /** X.509 version: 1, 2 or 3. */
  readonly version: number;
  /** Content octets of the serial number. */
  readonly serialOctets: Uint8Array;
  /** The serial number in lower case hex, two digits per octet. */
  readonly serial: string;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: PublicKey;
  /** The AlgorithmIdentifier inside the signed part, which must equal the one next to the signature. */
  readonly innerAlgorithm: DerNode;
  readonly extensions: Extensions;
  /** SHA-256 of the DER, lower case hex. */
  readonly fingerprint: string;
}

/** Maximum octets of one certificate; a certificate with a hundred names needs about 6 KiB. */
const MAX_CERTIFICATE_BYTES: number = 32 * 1024;

const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const NO_EXTENSIONS: Extensions = { critical: new Set(), present: new Set() };

/** @throws RELAY_E_PKI_MALFORMED */
export function readCertificate(der: Uint8Array): Certificate {
  const what = 'certificate';
  if (der.length > MAX_CERTIFICATE_BYTES) throw malformed(`${what}: larger than ${MAX_CERTIFICATE_BYTES} bytes`);
  const outer = new DerFields(readDer(der, what), what);
  const tbs = outer.take();
  const algorithm = outer.take();
  const signature = readOctetAlignedBits(outer.take(), what);
  outer.done();
  refuseUnlessNativeReads(der);
  const body = readBody(tbs, what);
  const fingerprint = hash('sha256', der, 'hex');
  return { der, signedBytes: tbs.raw, algorithm, signature, fingerprint, ...body };
}

function readBody(tbs: DerNode, what: string): Omit<Certificate, keyof Signed | 'der' | 'fingerprint'> {
  const fields = new DerFields(tbs, what);
  const versionField = fields.optional(VERSION_TAG)?.children[0];
  const serialOctets = readInteger(fields.take(), `${what} serial number`);
  const innerAlgorithm = fields.take(TAG.sequence);
  const issuer = readName(fields.take(), `${what} issuer`);
  const validity = new DerFields(fields.take(), `${what} validity`);
  const notBefore = readTime(validity.take(), `${what} notBefore`);
  const notAfter = readTime(validity.take(), `${what} notAfter`);
  validity.done();
  const subject = readName(fields.take(), `${what} subject`);
  const publicKey = readPublicKey(fields.take(), `${what} public key`);
  fields.optional(0x81);
  fields.optional(0x82);
  const extensionsField = fields.optional(EXTENSIONS_TAG)?.children[0];
  fields.done();
  return {
    version: versionField === undefined ? 1 : readSmallInteger(versionField, `${what} version`) + 1,
    serialOctets,
    serial: Buffer.from(serialOctets).toString('hex'),
    innerAlgorithm,
    issuer,
    notBefore,
    notAfter,
    subject,
    publicKey,
    extensions:
      extensionsField === undefined ? NO_EXTENSIONS : readExtensions(readRawExtensions(extensionsField, what), what),
  };
}

/** A second check: a certificate that OpenSSL cannot parse is rejected, so that two parsers never disagree. */
function refuseUnlessNativeReads(der: Uint8Array): void {
  try {
    new X509Certificate(der);
  } catch (cause) {
    throw malformed('certificate: can not be read', { cause });
  }
}

/** Limits for PEM with certificates. */
export interface CertificateLimits {
  /** Certificates in the text. */
  readonly max: number;
  /** Whether text around the PEM blocks is allowed, as in an operator's file. */
  readonly allowText?: boolean;
}

/** Reads PEM with certificates; the result for a recently read text is cached. @throws RELAY_E_PKI_MALFORMED */
export function readCertificates(pem: string, what: string, limits: CertificateLimits): readonly Certificate[] {
  return lately.get(pem, limits, () => readAll(pem, what, limits));
}

/** Each call of an agent presents its chain, and every chain ends in the same authority. */
const lately = new ReadLately<readonly Certificate[]>();

function readAll(pem: string, what: string, limits: CertificateLimits): readonly Certificate[] {
  const maxLength = limits.max * MAX_CERTIFICATE_BYTES * 2;
  return readPemDer(pem, 'CERTIFICATE', what, {
    maxLength,
    maxBlocks: limits.max,
    allowText: limits.allowText ?? false,
  }).map(readCertificate);
}

/** The certificates as PEM, one block after the other. */
export function writeCertificates(certificates: readonly Pick<Certificate, 'der'>[]): string {
  return certificates.map(({ der }) => writePem('CERTIFICATE', der)).join('');
}

/** Whether subject and issuer are the same name. Says nothing about the signature. */
export function isSelfIssued(certificate: Certificate): boolean {
  return sameName(certificate.issuer, certificate.subject);
}
