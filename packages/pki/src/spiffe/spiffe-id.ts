/** SPIFFE IDs: the strict grammar of the SPIFFE ID standard, and exact comparison only. */
import { malformed } from '../pki-error.ts';

/** A validated SPIFFE ID; compare with `===`. */
export type SpiffeId = string & { readonly __brand: 'SpiffeId' };

/** A validated trust domain name; compare with `===`. */
export type TrustDomain = string & { readonly __brand: 'TrustDomain' };

/** The two parts of a SPIFFE ID. */
export interface SpiffeIdParts {
  readonly trustDomain: TrustDomain;
  /** Empty, or a slash before each segment. */
  readonly path: string;
}

const SCHEME = 'spiffe://';
/** SPIFFE ID standard, section 2.3. */
const MAX_LENGTH = 2048;
const MAX_TRUST_DOMAIN = 255;

/**
 * Validates the trust domain `name`.
 * @throws RELAY_E_PKI_MALFORMED
 */
export function trustDomain(name: string): TrustDomain {
  if (!/^[a-z0-9._-]+$/.test(name) || name.length > MAX_TRUST_DOMAIN) {
    throw malformed(`trust domain: expected 1 to ${MAX_TRUST_DOMAIN} of a-z, 0-9, ".", "-", "_"`);
  }
  return name as TrustDomain;
}

/**
 * Validates the SPIFFE ID in `text` character by character: nothing is normalised, decoded or trimmed.
 * @throws RELAY_E_PKI_MALFORMED
 */
export function spiffeId(text: string): SpiffeId {
  split(text);
  return text as SpiffeId;
}

/** The trust domain and path of a SPIFFE ID. */
export function spiffeIdParts(id: SpiffeId): SpiffeIdParts {
  return split(id);
}

/**
 * The SPIFFE ID of a trust domain and path segments.
 * @throws RELAY_E_PKI_MALFORMED when a segment has an invalid character
 */
export function formatSpiffeId(domain: TrustDomain, ...segments: readonly string[]): SpiffeId {
  for (const segment of segments) checkSegment(segment);
  return spiffeId([SCHEME + domain, ...segments].join('/'));
}

function split(text: string): SpiffeIdParts {
  if (text.length > MAX_LENGTH) throw malformed(`SPIFFE ID: longer than ${MAX_LENGTH} characters`);
  if (!text.startsWith(SCHEME)) throw malformed('SPIFFE ID: expected it to start with "spiffe://"');
  const slash = text.indexOf('/', SCHEME.length);
  const domain = trustDomain(slash < 0 ? text.slice(SCHEME.length) : text.slice(SCHEME.length, slash));
  const path = slash < 0 ? '' : text.slice(slash);
  for (const segment of path.split('/').slice(1)) checkSegment(segment);
  return { trustDomain: domain, path };
}

function checkSegment(segment: string): void {
  if (segment === '' || segment === '.' || segment === '..') {
    throw malformed('SPIFFE ID: empty, "." and ".." path segments are not allowed, nor is a slash at the end');
  }
  if (!/^[A-Za-z0-9._-]+$/.test(segment)) {
    throw malformed('SPIFFE ID: expected path segments of letters, digits, ".", "-", "_"');
  }
}
