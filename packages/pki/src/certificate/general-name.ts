/** Subject alternative names, each form checked for its own syntax. */

import { DerFields } from '../asn1/der-fields.ts';
import type { DerNode } from '../asn1/der-node.ts';
import { readAscii } from '../asn1/der-values.ts';
import { malformed } from '../pki-error.ts';
import { type DistinguishedName, readName } from './distinguished-name.ts';

/** One GeneralName. `other` stores only its tag: such names never match, but a constraint on them must be noticed. */
export type GeneralName =
  | { readonly kind: 'dns' | 'uri' | 'email'; readonly value: string }
  | { readonly kind: 'ip'; readonly value: Uint8Array }
  | { readonly kind: 'directory'; readonly value: DistinguishedName }
  | { readonly kind: 'other'; readonly tag: number };

/** Context tags of GeneralName (RFC 5280 section 4.2.1.6). */
export const GENERAL_NAME_TAG = { email: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, ip: 0x87 } as const;

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;

/** Whether `name` is a host name in preferred syntax: letters, digits and hyphens, no wildcard, no dot at its ends. */
export function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
}

/** Whether `name` is a valid DNS name: a host name, or a wildcard for one label before at least two more. */
export function isDnsName(name: string): boolean {
  if (!name.startsWith('*.')) return isHostName(name);
  return isHostName(name.slice(2)) && name.slice(2).includes('.');
}

/** Whether `address` is a mailbox: one "@", with text before it and a host name after it. */
export function isMailbox(address: string): boolean {
  const [local, host, ...more] = address.split('@');
  return local !== undefined && local !== '' && host !== undefined && more.length === 0 && isHostName(host);
}

/**
 * The names of a GeneralNames sequence, at least one.
 * @throws RELAY_E_PKI_MALFORMED when a name has invalid syntax for its form
 */
export function readGeneralNames(node: DerNode, what: string): readonly GeneralName[] {
  const names = new DerFields(node, what).rest().map((name) => readGeneralName(name, what));
  if (names.length === 0) throw malformed(`${what}: no name in it`);
  return names;
}

function readGeneralName(node: DerNode, what: string): GeneralName {
  switch (node.tag) {
    case GENERAL_NAME_TAG.dns:
      return { kind: 'dns', value: checked(readAscii(node.content, what), isDnsName, `${what}: DNS name`) };
    case GENERAL_NAME_TAG.email:
      return { kind: 'email', value: checked(readAscii(node.content, what), isMailbox, `${what}: mail address`) };
    case GENERAL_NAME_TAG.uri:
      return { kind: 'uri', value: checked(readAscii(node.content, what), isAbsoluteUri, `${what}: URI`) };
    case GENERAL_NAME_TAG.ip:
      if (node.content.length !== 4 && node.content.length !== 16)
        throw malformed(`${what}: IP address of no known size`);
      return { kind: 'ip', value: node.content };
    case GENERAL_NAME_TAG.directory:
      return { kind: 'directory', value: readDirectoryName(node, what) };
    default:
      return { kind: 'other', tag: node.tag };
  }
}

/** The name in a directoryName, which is tagged explicitly because a Name is a CHOICE. */
export function readDirectoryName(node: DerNode, what: string): DistinguishedName {
  const [inner, ...more] = node.children;
  if (inner === undefined || more.length > 0) throw malformed(`${what}: not one directory name`);
  return readName(inner, what);
}

function isAbsoluteUri(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:./i.test(value);
}

function checked(value: string, isValid: (value: string) => boolean, what: string): string {
  if (!isValid(value)) throw malformed(`${what}: not in its proper syntax`);
  return value;
}
