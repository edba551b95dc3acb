/** Rules a complete path keeps: times, path lengths, purposes and name constraints (RFC 5280 section 6). */
import { OID } from '../asn1/oids.ts';
import { type Certificate, isSelfIssued } from '../certificate/certificate.ts';
import type { GeneralName } from '../certificate/general-name.ts';
import { namesAllowed } from '../certificate/name-constraints.ts';
import { checkForm, checkTime, type Position } from './check-form.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** Leaf, or the CA that is judged, first; trusted root last. */
export type Path = readonly [Certificate, ...Certificate[]];

/** What the first certificate is used for: as a leaf to authenticate a TLS client or a TLS server, or as a CA to sign certificates of its own. */
export type Usage = 'client' | 'server' | 'ca';

/** What is asked of a path besides its signatures. */
export interface PathRules {
  readonly usage: Usage;
  readonly now: Date;
  /** How long after its end the leaf alone is still accepted, in milliseconds; 0 unless it is being renewed. */
  readonly leafGrace: number;
  /** Intermediates allowed, self-issued ones not counted. */
  readonly maxIntermediates: number;
}

/** The first rule the path breaks. */
export function checkPath(path: Path, rules: PathRules): VerifyFailure | undefined {
  for (const [index, certificate] of path.entries()) {
    const position = positionOf(index, path.length, rules.usage);
    const grace = position === 'leaf' ? rules.leafGrace : 0;
    const broken =
      checkForm(certificate, position) ??
      checkTime({ ...certificate, notAfter: new Date(certificate.notAfter.getTime() + grace) }, position, rules.now);
    if (broken !== undefined) return broken;
  }
  return checkLengths(path, rules) ?? checkUsage(path, rules.usage) ?? checkNames(path);
}

function positionOf(index: number, length: number, usage: Usage): Position {
  if (index === 0) return usage === 'ca' ? 'intermediate' : 'leaf';
  return index === length - 1 ? 'root' : 'intermediate';
}

function checkLengths(path: Path, { maxIntermediates, usage }: PathRules): VerifyFailure | undefined {
  const firstCa = usage === 'ca' ? 0 : 1;
  for (const [index, certificate] of path.entries()) {
    const limit = index === path.length - 1 ? maxIntermediates : Number.POSITIVE_INFINITY;
    const below = path.slice(firstCa, Math.max(index, firstCa)).filter((between) => !isSelfIssued(between)).length;
    const allowed =
      index === 0
        ? Number.POSITIVE_INFINITY
        : (certificate.extensions.basicConstraints?.pathLength ?? Number.POSITIVE_INFINITY);
    if (below > limit)
      return refuse('chain-too-long', `certificate chain: ${below} intermediates, at most ${limit} are allowed`);
    if (below > allowed)
      return refuse('path-length', `CA certificate: path length ${allowed} with ${below} CAs below it`);
  }
  return undefined;
}

/** A CA that lists purposes restricts everything below it to them. */
function checkUsage(path: Path, usage: Usage): VerifyFailure | undefined {
  if (usage === 'ca') return undefined;
  const expected: string = usage === 'client' ? OID.clientAuth : OID.serverAuth;
  for (const [index, { extensions }] of path.entries()) {
    const purposes = extensions.extendedKeyUsage;
    const any = index > 0 && purposes?.includes(OID.anyExtendedKeyUsage) === true;
    if (purposes !== undefined && !any && !purposes.includes(expected)) {
      return refuse(
        'extended-key-usage',
        `${positionOf(index, path.length, usage)} certificate: not for TLS ${usage}s (its extended key usage lacks ${usage}Auth)`,
      );
    }
  }
  return undefined;
}

function checkNames(path: Path): VerifyFailure | undefined {
  for (const [index, { extensions }] of path.entries()) {
    const constraints = extensions.nameConstraints;
    if (constraints === undefined) continue;
    const constrained = path.slice(0, index).filter((below, at) => at === 0 || !isSelfIssued(below));
    if (!constrained.every((below) => namesAllowed(constraints, namesOf(below)))) {
      return refuse(
        'name-constraints',
        'certificate chain: a name in it is outside the name constraints of a CA above it',
      );
    }
  }
  return undefined;
}

/** Every name of a certificate that a constraint can be about. */
function namesOf({ subject, extensions }: Certificate): readonly GeneralName[] {
  const directory: GeneralName[] = subject.comparable.length > 0 ? [{ kind: 'directory', value: subject }] : [];
  const emails = subject.emails.map((value): GeneralName => ({ kind: 'email', value }));
  return [...(extensions.subjectAltNames ?? []), ...directory, ...emails];
}
