/** Finds a path from a leaf to a trusted root among the certificates from a peer, with a bound on the work. */
import { Buffer } from 'node:buffer';
import type { Certificate } from '../certificate/certificate.ts';
import { sameName } from '../certificate/distinguished-name.ts';
import { keyWeakness } from '../key/public-key.ts';
import { verifySignature } from '../key/signature.ts';
import { checkPath, type Path, type PathRules } from './check-path.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** A path that satisfies every rule. */
export interface TrustedPath {
  readonly ok: true;
  readonly path: Path;
}

/** Maximum number of certificates from a peer, including the leaf. */
export const MAX_CHAIN = 12;
/** Maximum number of verified signatures per peer, so that cross-signed loops end. */
const MAX_SIGNATURES = 40;

/**
 * Searches depth first, roots before intermediates, and continues after a path that breaks a rule, until one satisfies
 * all.
 */
export function findPath(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  roots: readonly Certificate[],
  rules: PathRules,
): TrustedPath | VerifyFailure {
  let budget = MAX_SIGNATURES;
  let failure: VerifyFailure | undefined;
  const note = (seen: VerifyFailure): undefined => {
    failure ??= seen;
  };

  const extend = (path: Path): Path | undefined => {
    const last = path[path.length - 1] ?? leaf;
    for (const issuer of [...roots, ...intermediates]) {
      const trusted = roots.includes(issuer);
      if (path.length > MAX_CHAIN || !mayHaveIssued(issuer, last) || isIn(path, issuer)) continue;
      if (budget-- <= 0) return note(refuse('chain-too-long', 'certificate chain: too many possible paths'));
      const unsigned = checkSignature(last, issuer);
      if (unsigned !== undefined) {
        note(unsigned);
        continue;
      }
      const longer: Path = [...path, issuer];
      const broken = trusted ? checkPath(longer, rules) : undefined;
      if (trusted && broken === undefined) return longer;
      if (broken !== undefined) note(broken);
      const found = trusted ? undefined : extend(longer);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const path = extend([leaf]);
  return path
    ? { ok: true, path }
    : (failure ?? refuse('untrusted', 'certificate chain: no trusted root signed it; check which CA the peer uses'));
}

/** By name, and by key identifiers if both have one. */
function mayHaveIssued(issuer: Certificate, subject: Certificate): boolean {
  if (!sameName(issuer.subject, subject.issuer)) return false;
  const named = subject.extensions.authorityKeyIdentifier;
  const own = issuer.extensions.subjectKeyIdentifier;
  return named === undefined || own === undefined || Buffer.from(named).equals(own);
}

/** The same subject with the same key counts as the same certificate; otherwise cross-signing would loop. */
function isIn(path: Path, candidate: Certificate): boolean {
  return path.some(
    (seen) =>
      sameName(seen.subject, candidate.subject) && Buffer.from(seen.publicKey.der).equals(candidate.publicKey.der),
  );
}

function checkSignature(subject: Certificate, issuer: Certificate): VerifyFailure | undefined {
  const weakness = keyWeakness(issuer.publicKey.kind, 8192);
  if (weakness !== undefined) return refuse('key-not-allowed', `issuer certificate: ${weakness}`);
  const result = verifySignature(subject, issuer.publicKey, 'certificate');
  if (result === 'good') return undefined;
  return result === 'bad'
    ? refuse('signature', 'certificate: its signature is not by the issuer it names')
    : refuse('signature-algorithm', 'certificate: signed with an algorithm that is not allowed (SHA-256 or better is)');
}
