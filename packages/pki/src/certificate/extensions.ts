/**
 * The extensions of a certificate or request, each parsed completely; unknown ones are recorded by name and
 * criticality.
 */

import { DerFields } from '../asn1/der-fields.ts';
import { type DerNode, readDer } from '../asn1/der-node.ts';
import { readBoolean, readNamedBits, readOid, readSmallInteger, TAG } from '../asn1/der-values.ts';
import { OID } from '../asn1/oids.ts';
import { malformed } from '../pki-error.ts';
import { type GeneralName, readGeneralNames } from './general-name.ts';
import { type NameConstraints, readNameConstraints } from './name-constraints.ts';

/** Bits of the key usage extension (RFC 5280 section 4.2.1.3). */
export const KEY_USAGE = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 } as const;

/** One extension before its value is parsed. */
export interface RawExtension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

/** The parsed extensions; a member is undefined if its extension is absent. */
export interface Extensions {
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number };
  readonly keyUsage?: ReadonlySet<number>;
  /** Object identifiers of the purposes. */
  readonly extendedKeyUsage?: readonly string[];
  readonly subjectAltNames?: readonly GeneralName[];
  readonly subjectKeyIdentifier?: Uint8Array;
  readonly authorityKeyIdentifier?: Uint8Array;
  readonly nameConstraints?: NameConstraints;
  /** Object identifiers of the critical extensions. */
  readonly critical: ReadonlySet<string>;
  /** Object identifiers of all extensions. */
  readonly present: ReadonlySet<string>;
}

/**
 * The extensions of an Extensions sequence.
 * @throws RELAY_E_PKI_MALFORMED when it is empty or contains one twice
 */
export function readRawExtensions(node: DerNode, what: string): readonly RawExtension[] {
  const seen = new Set<string>();
  const extensions = new DerFields(node, what).rest().map((child) => {
    const fields = new DerFields(child, what);
    const oid = readOid(fields.take(), what);
    const critical = fields.optional(TAG.boolean);
    const { content } = fields.take(TAG.octetString);
    fields.done();
    if (seen.has(oid)) throw malformed(`${what}: extension ${oid} stands twice`);
    seen.add(oid);
    return { oid, critical: critical !== undefined && readBoolean(critical, what), value: content };
  });
  if (extensions.length === 0) throw malformed(`${what}: empty list of extensions`);
  return extensions;
}

/** @throws RELAY_E_PKI_MALFORMED when the value of a known extension has invalid syntax */
export function readExtensions(raw: readonly RawExtension[], what: string): Extensions {
  const find = <T>(oid: string, name: string, read: (node: DerNode, what: string) => T): T | undefined => {
    const extension = raw.find((candidate) => candidate.oid === oid);
    return extension && read(readDer(extension.value, `${what}: ${name}`), `${what}: ${name}`);
  };
  find(OID.authorityInformationAccess, 'authority information access', readAccessDescriptions);
  const found = {
    basicConstraints: find(OID.basicConstraints, 'basic constraints', readBasicConstraints),
    keyUsage: find(OID.keyUsage, 'key usage', readKeyUsage),
    extendedKeyUsage: find(OID.extendedKeyUsage, 'extended key usage', readExtendedKeyUsage),
    subjectAltNames: find(OID.subjectAltName, 'subject alternative names', readGeneralNames),
    subjectKeyIdentifier: find(OID.subjectKeyIdentifier, 'subject key identifier', readKeyIdentifier),
    authorityKeyIdentifier: find(OID.authorityKeyIdentifier, 'authority key identifier', readAuthorityKeyIdentifier),
    nameConstraints: find(OID.nameConstraints, 'name constraints', readNameConstraints),
  };
  return {
    ...(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Partial<Extensions>),
    critical: new Set(raw.filter((extension) => extension.critical).map((extension) => extension.oid)),
    present: new Set(raw.map((extension) => extension.oid)),
  };
}

function readBasicConstraints(node: DerNode, what: string): { ca: boolean; pathLength?: number } {
  const fields = new DerFields(node, what);
  const flag = fields.optional(TAG.boolean);
  const length = fields.optional(TAG.integer);
  fields.done();
  const ca = flag !== undefined && readBoolean(flag, what);
  if (length === undefined) return { ca };
  if (!ca) throw malformed(`${what}: a path length without CA:TRUE`);
  return { ca, pathLength: readSmallInteger(length, what) };
}

function readKeyUsage(node: DerNode, what: string): ReadonlySet<number> {
  const bits = readNamedBits(node, what);
  if (bits.size === 0) throw malformed(`${what}: no usage in it`);
  return bits;
}

function readExtendedKeyUsage(node: DerNode, what: string): readonly string[] {
  const purposes = new DerFields(node, what).rest().map((purpose) => readOid(purpose, what));
  if (purposes.length === 0) throw malformed(`${what}: no purpose in it`);
  return purposes;
}

function readKeyIdentifier(node: DerNode, what: string): Uint8Array {
  if (node.tag !== TAG.octetString || node.content.length === 0) throw malformed(`${what}: no identifier in it`);
  return node.content;
}

/** RFC 5280 section 4.2.1.1 requires the key identifier; issuer and serial may be present too and are not used. */
function readAuthorityKeyIdentifier(node: DerNode, what: string): Uint8Array {
  const fields = new DerFields(node, what);
  const identifier = fields.optional(0x80);
  fields.optional(0xa1);
  fields.optional(0x82);
  fields.done();
  if (identifier === undefined || identifier.content.length === 0) throw malformed(`${what}: no key identifier in it`);
  return identifier.content;
}

function readAccessDescriptions(node: DerNode, what: string): void {
  const descriptions = new DerFields(node, what).rest();
  if (descriptions.length === 0) throw malformed(`${what}: no access description in it`);
  for (const description of descriptions) {
    const fields = new DerFields(description, what);
    readOid(fields.take(), what);
    fields.take();
    fields.done();
  }
}
