/** Name constraints: which names a CA may certify (RFC 5280 section 4.2.1.10). */

import { DerFields } from '../asn1/der-fields.ts';
import type { DerNode } from '../asn1/der-node.ts';
import { readAscii } from '../asn1/der-values.ts';
import { malformed } from '../pki-error.ts';
import { type DistinguishedName, isWithinName } from './distinguished-name.ts';
import { GENERAL_NAME_TAG, type GeneralName, isHostName, isMailbox, readDirectoryName } from './general-name.ts';

/** One subtree of names. */
type Subtree =
  | { readonly kind: 'dns' | 'uri' | 'email'; readonly value: string }
  | { readonly kind: 'ip'; readonly value: Uint8Array }
  | { readonly kind: 'directory'; readonly value: DistinguishedName }
  | { readonly kind: 'other'; readonly tag: number };

/** The constraints of one CA certificate. */
export interface NameConstraints {
  readonly permitted: readonly Subtree[];
  readonly excluded: readonly Subtree[];
}

const PERMITTED = 0xa0;
const EXCLUDED = 0xa1;

/** @throws RELAY_E_PKI_MALFORMED when a subtree has invalid syntax or is missing */
export function readNameConstraints(node: DerNode, what: string): NameConstraints {
  const fields = new DerFields(node, what);
  const permitted = readSubtrees(fields.optional(PERMITTED), what);
  const excluded = readSubtrees(fields.optional(EXCLUDED), what);
  fields.done();
  if (permitted.length + excluded.length === 0) throw malformed(`${what}: it constrains nothing`);
  return { permitted, excluded };
}

function readSubtrees(node: DerNode | undefined, what: string): readonly Subtree[] {
  return (node?.children ?? []).map((child) => {
    const subtree = new DerFields(child, what);
    const base = subtree.take();
    // This profile does not allow minimum and maximum distances.
    subtree.done();
    return readSubtree(base, what);
  });
}

function readSubtree(node: DerNode, what: string): Subtree {
  switch (node.tag) {
    case GENERAL_NAME_TAG.dns:
      return { kind: 'dns', value: constraintText(node, what, (value) => value === '' || isHostName(value)) };
    case GENERAL_NAME_TAG.uri:
      return { kind: 'uri', value: constraintText(node, what, isUriHostOrDomain) };
    case GENERAL_NAME_TAG.email:
      return { kind: 'email', value: constraintText(node, what, (value) => isMailbox(value) || isHostOrDomain(value)) };
    case GENERAL_NAME_TAG.ip:
      return { kind: 'ip', value: readNetwork(node.content, what) };
    case GENERAL_NAME_TAG.directory:
      return { kind: 'directory', value: readDirectoryName(node, what) };
    default:
      return { kind: 'other', tag: node.tag };
  }
}

function constraintText(node: DerNode, what: string, isValid: (value: string) => boolean): string {
  const value = readAscii(node.content, what);
  if (!isValid(value)) throw malformed(`${what}: a subtree is not in its proper syntax`);
  return value;
}

/** "host.example" is exactly that host; ".example" is every host below it. */
function isHostOrDomain(value: string): boolean {
  return isHostName(value.startsWith('.') ? value.slice(1) : value);
}

/** As above; a trust domain may also contain underscores. */
function isUriHostOrDomain(value: string): boolean {
  return /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value);
}

/** Address and mask; the mask's ones precede its zeros. */
function readNetwork(content: Uint8Array, what: string): Uint8Array {
  const half = content.length / 2;
  const bits = Array.from(content.subarray(half), (octet) => octet.toString(2).padStart(8, '0')).join('');
  if ((half !== 4 && half !== 16) || !/^1*0*$/.test(bits)) throw malformed(`${what}: not an IP address and mask`);
  return content;
}

/** Whether all `names` may be certified under these constraints. */
export function namesAllowed(constraints: NameConstraints, names: readonly GeneralName[]): boolean {
  return names.every((name) => isAllowed(constraints, name));
}

function isAllowed({ permitted, excluded }: NameConstraints, name: GeneralName): boolean {
  const ofKind = (subtrees: readonly Subtree[]): readonly Subtree[] =>
    subtrees.filter(
      (tree) => tree.kind === name.kind && (tree.kind !== 'other' || (name.kind === 'other' && tree.tag === name.tag)),
    );
  const include = ofKind(permitted);
  const exclude = ofKind(excluded);
  // A name that cannot be compared is rejected if any constraint has its form.
  if (name.kind === 'other') return include.length + exclude.length === 0;
  if (exclude.some((tree) => touches(tree, name))) return false;
  return include.length === 0 || include.some((tree) => covers(tree, name));
}

/** Whether every name that `name` can match is in the subtree. */
function covers(tree: Subtree, name: GeneralName): boolean {
  if (tree.kind === 'dns' && name.kind === 'dns') return isUnder(withoutWildcard(name.value), tree.value);
  if (tree.kind === 'uri' && name.kind === 'uri') return hostCovered(hostOf(name.value), tree.value);
  if (tree.kind === 'email' && name.kind === 'email') return mailboxCovered(name.value, tree.value);
  if (tree.kind === 'ip' && name.kind === 'ip') return addressCovered(name.value, tree.value);
  if (tree.kind === 'directory' && name.kind === 'directory') return isWithinName(name.value, tree.value);
  return false;
}

/**
 * Whether some name that `name` can match is in the subtree; a URI without a host counts, since its host is unknown.
 */
function touches(tree: Subtree, name: GeneralName): boolean {
  if (tree.kind === 'uri' && name.kind === 'uri' && hostOf(name.value) === undefined) return true;
  const wildcard = tree.kind === 'dns' && name.kind === 'dns' && name.value.startsWith('*.');
  return covers(tree, name) || (wildcard && isUnder(tree.value, withoutWildcard(name.value)));
}

function withoutWildcard(name: string): string {
  return name.startsWith('*.') ? name.slice(2) : name;
}

function isUnder(name: string, base: string): boolean {
  const [host, domain] = [name.toLowerCase(), base.toLowerCase()];
  return domain === '' || host === domain || host.endsWith(`.${domain}`);
}

function hostCovered(host: string | undefined, constraint: string): boolean {
  if (host === undefined) return false;
  return constraint.startsWith('.')
    ? host.toLowerCase().endsWith(constraint.toLowerCase())
    : host.toLowerCase() === constraint.toLowerCase();
}

/** The host of a URI's authority, if it is a name. SPIFFE trust domains may contain underscores. */
function hostOf(uri: string): string | undefined {
  const host = /^[^:/?#]+:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)(?::\d*)?(?:[/?#]|$)/.exec(uri)?.[1];
  return host !== undefined && /[a-z]/i.test(host) ? host : undefined;
}

function mailboxCovered(mailbox: string, constraint: string): boolean {
  const [local = '', host = ''] = mailbox.split('@');
  const [constraintLocal = '', constraintHost] = constraint.split('@');
  if (constraintHost === undefined) return hostCovered(host, constraint);
  return local === constraintLocal && host.toLowerCase() === constraintHost.toLowerCase();
}

function addressCovered(address: Uint8Array, network: Uint8Array): boolean {
  const size = network.length / 2;
  if (address.length !== size) return false;
  return address.every((octet, index) => ((octet ^ (network[index] ?? 0)) & (network[size + index] ?? 0)) === 0);
}
