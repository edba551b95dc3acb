/** Rules for a single certificate, independent of its position in a path (RFC 5280 section 4). */
import { Buffer } from 'node:buffer';
import { OID } from '../asn1/oids.ts';
import { type Certificate, isSelfIssued } from '../certificate/certificate.ts';
import { KEY_USAGE } from '../certificate/extensions.ts';
import { keyWeakness } from '../key/public-key.ts';
import { refuse, type VerifyFailure, type VerifyFailureReason } from './verify-failure.ts';

/** Position of the certificate in the path. */
export type Position = 'leaf' | 'intermediate' | 'root';

/** The largest RSA key that is verified. */
const MAX_RSA_BITS = 8192;

/** Extensions that may be critical, because they are evaluated or require no action. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OID.basicConstraints,
  OID.keyUsage,
  OID.extendedKeyUsage,
  OID.subjectAltName,
  OID.nameConstraints,
  // No path requires a policy here, so the listed policies have no effect.
  OID.certificatePolicies,
]);

/** Extensions that must not be critical according to RFC 5280. */
const NEVER_CRITICAL = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.authorityInformationAccess];

/** Extensions with policy rules that are not evaluated, so a certificate with one is rejected. */
const POLICY_RULES = [OID.policyConstraints, OID.inhibitAnyPolicy];

type Rule = readonly [holds: boolean, reason: VerifyFailureReason, message: string];

/** The first rule the certificate breaks. */
export function checkForm(certificate: Certificate, position: Position): VerifyFailure | undefined {
  const rules = [
    ...commonRules(certificate),
    ...(position === 'leaf' ? leafRules(certificate) : authorityRules(certificate, position)),
  ];
  const broken = rules.find(([holds]) => !holds);
  return broken && refuse(broken[1], `${position} certificate: ${broken[2]}`);
}

function commonRules(certificate: Certificate): readonly Rule[] {
  const { extensions, serialOctets, subject, publicKey } = certificate;
  const [first = 0x80] = serialOctets;
  const unknown = [...extensions.critical].find((oid) => !UNDERSTOOD.has(oid));
  const weakness = keyWeakness(publicKey.kind, MAX_RSA_BITS);
  const emptySubject = subject.comparable.length === 0;
  const rules: Rule[] = [
    [certificate.version === 3, 'not-well-formed', `version ${certificate.version}, expected 3`],
    [
      first < 0x80 && serialOctets.length <= 20 && serialOctets.some((octet) => octet !== 0),
      'not-well-formed',
      'serial number is zero, negative or longer than 20 octets',
    ],
    [
      Buffer.from(certificate.algorithm.raw).equals(certificate.innerAlgorithm.raw),
      'not-well-formed',
      'two different signature algorithms are named in it',
    ],
    [certificate.issuer.comparable.length > 0, 'not-well-formed', 'empty issuer'],
    [certificate.notBefore <= certificate.notAfter, 'not-well-formed', 'it ends before it begins'],
    [weakness === undefined, 'key-not-allowed', weakness ?? ''],
    [
      !emptySubject || extensions.critical.has(OID.subjectAltName),
      'not-well-formed',
      'empty subject without a critical alternative name',
    ],
    [
      NEVER_CRITICAL.every((oid) => !extensions.critical.has(oid)),
      'not-well-formed',
      'an extension is critical that must not be',
    ],
    [
      POLICY_RULES.every((oid) => !extensions.present.has(oid)),
      'unknown-critical-extension',
      'it constrains policies, which is not supported',
    ],
    [unknown === undefined, 'unknown-critical-extension', `critical extension ${unknown} is not known`],
  ];
  return rules;
}

function leafRules({ extensions }: Certificate): readonly Rule[] {
  return [
    [extensions.basicConstraints?.ca !== true, 'leaf-is-ca', 'it is a CA (CA:TRUE)'],
    [
      extensions.keyUsage?.has(KEY_USAGE.keyCertSign) !== true,
      'key-usage',
      'its key usage has keyCertSign, which only a CA may have',
    ],
    [extensions.nameConstraints === undefined, 'not-well-formed', 'it has name constraints, which only a CA may have'],
    [extensions.authorityKeyIdentifier !== undefined, 'not-well-formed', 'authority key identifier is missing'],
  ];
}

function authorityRules(certificate: Certificate, position: Position): readonly Rule[] {
  const {
    basicConstraints,
    keyUsage,
    subjectKeyIdentifier: own,
    authorityKeyIdentifier: above,
  } = certificate.extensions;
  const anchor = position === 'root' && isSelfIssued(certificate);
  const criticalWhereNeeded = position !== 'root' || certificate.extensions.critical.has(OID.basicConstraints);
  return [
    [basicConstraints?.ca === true, 'not-a-ca', 'it is not a CA (basic constraints CA:TRUE is missing)'],
    [criticalWhereNeeded, 'not-well-formed', 'basic constraints are not critical'],
    [keyUsage === undefined || keyUsage.has(KEY_USAGE.keyCertSign), 'key-usage', 'its key usage lacks keyCertSign'],
    [certificate.subject.comparable.length > 0, 'not-well-formed', 'empty subject'],
    [own !== undefined, 'not-well-formed', 'subject key identifier is missing'],
    [above !== undefined || position === 'root', 'not-well-formed', 'authority key identifier is missing'],
    [
      !anchor || above === undefined || own === undefined || Buffer.from(above).equals(own),
      'not-well-formed',
      'its two key identifiers differ although it signs itself',
    ],
  ];
}

/** Why the certificate is not valid at `now`, if so. Both ends count as valid, to the second. */
export function checkTime(
  { notBefore, notAfter }: Certificate,
  position: Position,
  now: Date,
): VerifyFailure | undefined {
  if (now < notBefore)
    return refuse('not-yet-valid', `${position} certificate: not valid before ${notBefore.toISOString()}`);
  const second = Math.floor(now.getTime() / 1000) * 1000;
  if (second > notAfter.getTime())
    return refuse('expired', `${position} certificate: expired at ${notAfter.toISOString()}`);
  return undefined;
}
