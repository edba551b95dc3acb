/** The rules of an X.509-SVID: they make a certificate the document of one SPIFFE identity. */
import type { Certificate } from '../certificate/certificate.ts';
import { KEY_USAGE } from '../certificate/extensions.ts';
import { isMalformed } from '../pki-error.ts';
import { type SpiffeId, spiffeId, spiffeIdParts } from '../spiffe/spiffe-id.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** The identity of a chain that satisfies the SVID rules. */
export interface Svid {
  readonly ok: true;
  readonly identity: SpiffeId;
}

/** Checks a chain, leaf first, against the SVID rules only: signatures, times and trust are not checked here. */
export function readSvid(leaf: Certificate, intermediates: readonly Certificate[]): Svid | VerifyFailure {
  const { basicConstraints, keyUsage } = leaf.extensions;
  if (basicConstraints?.ca === true) return refuse('leaf-is-ca', 'leaf certificate: it is a CA (CA:TRUE)');
  if (keyUsage?.has(KEY_USAGE.digitalSignature) !== true)
    return refuse('key-usage', 'leaf certificate: its key usage lacks digitalSignature');
  if (keyUsage.has(KEY_USAGE.keyCertSign) || keyUsage.has(KEY_USAGE.cRLSign)) {
    return refuse('key-usage', 'leaf certificate: its key usage has keyCertSign or cRLSign, which only a CA may have');
  }
  for (const { extensions } of intermediates) {
    if (extensions.basicConstraints?.ca !== true) return refuse('not-a-ca', 'signing certificate: it is not a CA');
    if (extensions.keyUsage?.has(KEY_USAGE.keyCertSign) !== true)
      return refuse('key-usage', 'signing certificate: its key usage lacks keyCertSign');
  }
  return readIdentity(leaf);
}

function readIdentity(leaf: Certificate): Svid | VerifyFailure {
  const uris = (leaf.extensions.subjectAltNames ?? []).flatMap((name) => (name.kind === 'uri' ? [name.value] : []));
  const [uri, ...more] = uris;
  if (uri === undefined || more.length > 0)
    return refuse('identity', `leaf certificate: ${uris.length} URI names, expected exactly one SPIFFE ID`);
  try {
    const identity = spiffeId(uri);
    if (spiffeIdParts(identity).path === '')
      return refuse('identity', 'leaf certificate: its SPIFFE ID names a whole trust domain (no path)');
    return { ok: true, identity };
  } catch (error) {
    if (isMalformed(error)) return refuse('identity', `leaf certificate: ${error.message}`);
    throw error;
  }
}
