/** The trust domain of a CA, from its own certificate: a SPIFFE ID without a path. */
import type { Certificate } from '../certificate/certificate.ts';
import { isMalformed } from '../pki-error.ts';
import { spiffeId, spiffeIdParts, type TrustDomain } from './spiffe-id.ts';

/** Undefined for a CA that names none, or more than one. */
export function caTrustDomain({ extensions }: Certificate): TrustDomain | undefined {
  const [uri, ...more] = (extensions.subjectAltNames ?? []).flatMap((name) =>
    name.kind === 'uri' ? [name.value] : [],
  );
  if (uri === undefined || more.length > 0) return undefined;
  try {
    const { trustDomain, path } = spiffeIdParts(spiffeId(uri));
    return path === '' ? trustDomain : undefined;
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}
