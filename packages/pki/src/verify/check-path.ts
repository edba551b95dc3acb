/** Rules for a complete path: validity periods, path lengths, purposes and name constraints (RFC 5280 section 6). */
import { OID } from '../asn1/oids.ts';
import { type Certificate, isSelfIssued } from '../certificate/certificate.ts';
import type { GeneralName } from '../certificate/general-name.ts';
import { namesAllowed } from '../certificate/name-constraints.ts';
import { checkForm, checkTime, type Position } from './check-form.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** Leaf, or the verified CA, first; trusted root last. */
export type Path = readonly [Certificate, ...Certificate[]];

/** Use of the first certificate: a leaf authenticates a TLS client or a TLS server, a CA signs certificates. */
export type Usage = 'client' | 'server' | 'ca';

/** Requirements of a path in addition to its signatures. */
export interface PathRules {
  readonly usage: Usage;
  readonly now: Date;
  /** Milliseconds after its end in which the leaf alone is still accepted; 0 unless it is being renewed. */
  readonly leafGrace: number;
  /** Maximum number of intermediates, without self-issued ones. */
  readonly maxIntermediates: number;
}

/** The first rule that the path violates; undefined if the path is valid. */
export function checkPath(path: Path, rules: PathRules): VerifyFailure | undefined {
  for (const [index, certificate] of path.entries()) {
    const position = positionOf(index, path.length, rules.usage);
    const grace = position === 'leaf' ? rules.leafGrace : 0;
    const failure =
      checkForm(certificate, position) ??
      checkTime({ ...certificate, notAfter: new Date(certificate.notAfter.getTime() + grace) }, position, rules.now);
    if (failure !== undefined) return failure;
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
      return refuse(
        'path-length',
        `CA certificate: path length constraint ${allowed}, but ${below} CA certificates below it`,
      );
  }
  return undefined;
}

/** A CA that lists purposes (extended key usage) restricts all certificates below it to them. */
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

/** All names of a certificate that constraints apply to. */
function namesOf({ subject, extensions }: Certificate): readonly GeneralName[] {
  const directory: GeneralName[] = subject.comparable.length > 0 ? [{ kind: 'directory', value: subject }] : [];
  const emails = subject.emails.map((value): GeneralName => ({ kind: 'email', value }));
  return [...(extensions.subjectAltNames ?? []), ...directory, ...emails];
}
