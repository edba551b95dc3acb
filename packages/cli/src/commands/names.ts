/**
 * Options and arguments with a Kubernetes name: meshctl rejects invalid names before it sends a request or writes a
 * file.
 */
import { CLUSTER_NAME_SYNTAX, isClusterName } from '@meshrelay/pki';
import { InvalidArgumentError } from 'commander';

/** For a namespace (RFC 1123 label). */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const MAX_LABEL = 63;

/** For most other objects (RFC 1123 subdomain). */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_SUBDOMAIN = 253;

function isSubdomain(text: string): boolean {
  return text.length <= MAX_SUBDOMAIN && SUBDOMAIN.test(text);
}

export function namespaceName(text: string): string {
  if (text.length <= MAX_LABEL && LABEL.test(text)) return text;
  throw new InvalidArgumentError(`Not a namespace name; use lower-case letters, digits and "-", at most ${MAX_LABEL}`);
}

export function clusterName(text: string): string {
  if (isClusterName(text)) return text;
  throw new InvalidArgumentError(`Not a cluster name; use ${CLUSTER_NAME_SYNTAX}`);
}

export function objectName(text: string): string {
  if (isSubdomain(text)) return text;
  throw new InvalidArgumentError('Not an object name; use lower-case letters, digits, "-" and "."');
}

export function domainName(text: string): string {
  if (isSubdomain(text)) return text;
  throw new InvalidArgumentError('Not a DNS domain; write it like cluster.local');
}

/** `NAME[.NAMESPACE]`. */
export function workloadName(text: string): string {
  if (isSubdomain(text)) return text;
  throw new InvalidArgumentError('Not a workload; write it like reviews or reviews.bookinfo');
}

/** `NAMESPACE/NAME`. */
export function namespacedName(text: string): string {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (more.length === 0 && namespace.length <= MAX_LABEL && LABEL.test(namespace) && isSubdomain(name)) return text;
  throw new InvalidArgumentError('Not NAMESPACE/NAME of an object; write it like shop/registry-login');
}

/** `NAME` or `NAMESPACE/NAME`. */
export function policyName(text: string): string {
  if (text.includes('/')) return namespacedName(text);
  if (isSubdomain(text)) return text;
  throw new InvalidArgumentError(
    'Not NAME or NAMESPACE/NAME of an object; use lower-case letters, digits, "-" and ".", such as shop/reviews-canary',
  );
}
