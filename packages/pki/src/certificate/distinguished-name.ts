/** Names of subjects and issuers, compared according to RFC 5280 section 7.1. */
import { Buffer } from 'node:buffer';
import { DerFields } from '../asn1/der-fields.ts';
import type { DerNode } from '../asn1/der-node.ts';
import { readOid, TAG } from '../asn1/der-values.ts';
import { OID } from '../asn1/oids.ts';
import { malformed } from '../pki-error.ts';

/** A name in a certificate. */
export interface DistinguishedName {
  /** The RDNSequence, header included. */
  readonly raw: Uint8Array;
  /**
   * One comparable text per relative name, in order: equal texts are equal names, independent of their string types.
   */
  readonly comparable: readonly string[];
  /** Values of emailAddress attributes, which name constraints on mailboxes also cover. */
  readonly emails: readonly string[];
  /** Values of commonName attributes, unchanged. */
  readonly commonNames: readonly string[];
}

/** @throws RELAY_E_PKI_MALFORMED */
export function readName(node: DerNode, what: string): DistinguishedName {
  const noted: Noted = { emails: [], commonNames: [] };
  const comparable = new DerFields(node, what).rest().map((relative) => {
    const attributes = new DerFields(relative, what, TAG.set).rest();
    if (attributes.length === 0) throw malformed(`${what}: empty relative name`);
    return JSON.stringify(attributes.map((attribute) => readAttribute(attribute, what, noted)).sort());
  });
  return { raw: node.raw, comparable, ...noted };
}

/** Values that are also used alone. */
interface Noted {
  readonly emails: string[];
  readonly commonNames: string[];
}

function readAttribute(node: DerNode, what: string, { emails, commonNames }: Noted): string {
  const attribute = new DerFields(node, what);
  const type = readOid(attribute.take(), what);
  const value = attribute.take();
  attribute.done();
  const text = readText(value);
  if (type === OID.emailAddress && text !== undefined) emails.push(text);
  if (type === OID.commonName && text !== undefined) commonNames.push(text);
  return text === undefined ? `${type}#${Buffer.from(value.raw).toString('hex')}` : `${type}=${fold(text)}`;
}

/** The text of the string types that are compared by characters. */
function readText({ tag, content }: DerNode): string | undefined {
  switch (tag) {
    case TAG.utf8String:
      return Buffer.from(content).toString('utf8');
    case TAG.printableString:
    case TAG.ia5String:
      return Buffer.from(content).toString('latin1');
    case TAG.bmpString:
      return content.length % 2 === 0 ? Buffer.from(content).swap16().toString('utf16le') : undefined;
    default:
      return undefined;
  }
}

/** Letter case, runs of spaces and spaces at the ends are ignored. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Whether two names are the same. */
export function sameName(left: DistinguishedName, right: DistinguishedName): boolean {
  return left.comparable.length === right.comparable.length && isWithinName(left, right);
}

/** Whether `name` is `base` or below it in the directory tree. */
export function isWithinName(name: DistinguishedName, base: DistinguishedName): boolean {
  return base.comparable.every((relative, index) => name.comparable[index] === relative);
}
