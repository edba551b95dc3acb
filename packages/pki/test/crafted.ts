/** Certificates and requests with arbitrary content, valid or not. */
import { Buffer } from 'node:buffer';
import { hash, type KeyObject, sign } from 'node:crypto';
import {
  type Asn1,
  bitString,
  boolean,
  encode,
  encodedSequence,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  set,
  smallInteger,
  tagged,
  taggedOctets,
  time,
  utf8String,
} from '../src/asn1/der-build.ts';
import { readDer } from '../src/asn1/der-node.ts';
import { OID } from '../src/asn1/oids.ts';
import { publicKeyDer } from '../src/key/private-key.ts';

/** A day on which crafted certificates are valid by default. */
export const NOW: Date = new Date('2030-06-15T12:00:00Z');
export const DAY = 86_400_000;

export const name = (commonName: string): Asn1 => sequence(set(sequence(oid(OID.commonName), utf8String(commonName))));
export const uri = (text: string): Asn1 => taggedOctets(6, Buffer.from(text, 'latin1'));
export const dns = (text: string): Asn1 => taggedOctets(2, Buffer.from(text, 'latin1'));
export const email = (text: string): Asn1 => taggedOctets(1, Buffer.from(text, 'latin1'));
export const ip = (...octets: number[]): Asn1 => taggedOctets(7, Uint8Array.from(octets));
export const extension = (id: string, value: Asn1, critical = false): Asn1 =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(encode(value)));
export const keyUsage = (octet: number, unused: number): Asn1 =>
  extension(OID.keyUsage, bitString(Uint8Array.of(octet), unused), true);
export const sha256WithRsa = (): Asn1 => sequence(oid(OID.sha256WithRsa), nothing());
export const publicKeyInfo = (key: KeyObject): Asn1 => encodedSequence(readDer(publicKeyDer(key), 'key').content);
export const keyId = (key: KeyObject): Uint8Array =>
  Uint8Array.from(Buffer.from(hash('sha256', publicKeyDer(key), 'hex'), 'hex')).subarray(0, 20);

/** Extensions by name, in the given order; a test replaces or removes (undefined) the tested one. */
export type CraftedExtensions = Readonly<Record<string, Asn1 | undefined>>;

export interface CraftedCertificate {
  readonly key: KeyObject;
  readonly issuerKey: KeyObject;
  readonly subject?: Asn1;
  readonly issuer?: Asn1;
  readonly serial?: Uint8Array;
  readonly version?: number;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly extensions?: CraftedExtensions;
  readonly algorithm?: Asn1;
  readonly innerAlgorithm?: Asn1;
  readonly digest?: string | null;
  readonly spki?: Asn1;
}

/** Extensions of a valid agent's leaf. */
export function agentExtensions(key: KeyObject, issuerKey: KeyObject, identity: string): CraftedExtensions {
  return {
    basicConstraints: extension(OID.basicConstraints, sequence(), true),
    keyUsage: keyUsage(0x80, 7),
    extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.clientAuth))),
    subjectKeyIdentifier: extension(OID.subjectKeyIdentifier, octetString(keyId(key))),
    authorityKeyIdentifier: extension(OID.authorityKeyIdentifier, sequence(taggedOctets(0, keyId(issuerKey)))),
    subjectAltName: extension(OID.subjectAltName, sequence(uri(identity))),
  };
}

/** Extensions of a valid CA. */
export function authorityExtensions(key: KeyObject, issuerKey: KeyObject, pathLength?: number): CraftedExtensions {
  const constraints = [boolean(true), ...(pathLength === undefined ? [] : [smallInteger(pathLength)])];
  return {
    basicConstraints: extension(OID.basicConstraints, sequence(...constraints), true),
    keyUsage: keyUsage(0x06, 1),
    subjectKeyIdentifier: extension(OID.subjectKeyIdentifier, octetString(keyId(key))),
    authorityKeyIdentifier: extension(OID.authorityKeyIdentifier, sequence(taggedOctets(0, keyId(issuerKey)))),
  };
}

export function craftCertificate(options: CraftedCertificate): Uint8Array {
  const algorithm = options.algorithm ?? sha256WithRsa();
  const extensions = Object.values(options.extensions ?? {}).filter((value) => value !== undefined);
  const tbs = sequence(
    ...(options.version === 1 ? [] : [tagged(0, smallInteger((options.version ?? 3) - 1))]),
    integer(options.serial ?? Uint8Array.of(0x11, 0x22)),
    options.innerAlgorithm ?? algorithm,
    options.issuer ?? name('root'),
    sequence(
      time(options.notBefore ?? new Date(NOW.getTime() - DAY)),
      time(options.notAfter ?? new Date(NOW.getTime() + DAY)),
    ),
    options.subject ?? name('leaf'),
    options.spki ?? publicKeyInfo(options.key),
    ...(extensions.length > 0 ? [tagged(3, sequence(...extensions))] : []),
  );
  const digest = options.digest === undefined ? 'sha256' : options.digest;
  return encode(sequence(tbs, algorithm, bitString(Uint8Array.from(sign(digest, encode(tbs), options.issuerKey)))));
}

export interface CraftedCsr {
  readonly key: KeyObject;
  readonly signer?: KeyObject;
  readonly version?: number;
  readonly subject?: Asn1;
  readonly spki?: Asn1;
  /** Contents of the attributes field; null omits the field itself. */
  readonly attributes?: readonly Asn1[] | null;
  readonly algorithm?: Asn1;
  readonly digest?: string | null;
  readonly signature?: Uint8Array;
  /** Fields after the attributes, which no valid request has. */
  readonly extra?: readonly Asn1[];
}

/** The attribute with which a request asks for extensions. */
export const requestedExtensions = (...extensions: Asn1[]): Asn1 =>
  sequence(oid(OID.extensionRequest), set(sequence(...extensions)));

export function craftCsr(options: CraftedCsr): Uint8Array {
  const attributes = options.attributes === undefined ? [] : options.attributes;
  const info = sequence(
    smallInteger(options.version ?? 0),
    options.subject ?? sequence(),
    options.spki ?? publicKeyInfo(options.key),
    ...(attributes === null ? [] : [tagged(0, ...attributes)]),
    ...(options.extra ?? []),
  );
  const digest = options.digest === undefined ? 'sha256' : options.digest;
  const signature = options.signature ?? Uint8Array.from(sign(digest, encode(info), options.signer ?? options.key));
  return encode(sequence(info, options.algorithm ?? sha256WithRsa(), bitString(signature)));
}
