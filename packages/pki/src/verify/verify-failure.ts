/** Why a certificate chain is rejected, and the next action. */

/** The reasons, from "unreadable" to "another identity". */
export type VerifyFailureReason =
  | 'malformed'
  | 'chain-too-long'
  | 'not-well-formed'
  | 'key-not-allowed'
  | 'signature'
  | 'signature-algorithm'
  | 'untrusted'
  | 'not-yet-valid'
  | 'expired'
  | 'not-a-ca'
  | 'leaf-is-ca'
  | 'path-length'
  | 'name-constraints'
  | 'key-usage'
  | 'extended-key-usage'
  | 'unknown-critical-extension'
  | 'identity'
  | 'trust-domain'
  | 'server-name'
  | 'public-key';

/** A sentence each: the next action of the certificate's owner or of the verifier. */
export const FAILURE_ACTIONS: Readonly<Record<VerifyFailureReason, string>> = {
  malformed: 'Provide the whole chain as PEM, the leaf certificate first.',
  'chain-too-long':
    'Remove certificates that do not lead to the root from the chain, and issue from a CA nearer to the root.',
  'not-well-formed': 'Have an issuer that follows RFC 5280 issue a new certificate.',
  'key-not-allowed':
    'Create a new key: RSA with 2048 bits or more, or EC on P-256 or P-384, and request a certificate for it.',
  signature: 'Put the certificates of the signing CAs into the chain, in order.',
  'signature-algorithm': 'Issue the certificate again, signed with SHA-256 or better.',
  untrusted:
    'Add its root to the trusted roots of the verifying side, or have the certificate issued under a trusted root.',
  'not-yet-valid': 'Correct the clocks of both machines, or wait until the certificate becomes valid.',
  expired: 'Renew it; if the CA that issued it has expired, replace that CA first.',
  'not-a-ca': 'Issue from a certificate that is a CA (CA:TRUE).',
  'leaf-is-ca': 'Issue a certificate that is not a CA, and use the CA for signing only.',
  'path-length': 'Issue from a CA whose path length allows for the CAs below it.',
  'name-constraints': 'Issue it from a CA whose name constraints allow this name, or widen them.',
  'key-usage': 'Issue it with digitalSignature, and a CA with keyCertSign.',
  'extended-key-usage': 'Issue it with clientAuth for an agent, with serverAuth for a server.',
  'unknown-critical-extension': 'Issue it without the extension, or with the extension not critical.',
  identity: 'Issue it with exactly the expected identity as its only URI name.',
  'trust-domain': 'Set the same relay.trustDomain on server and agents, or issue it for that trust domain.',
  'server-name':
    'Dial a name that is in the certificate, set relay.authority to one, or add the name to relay.serverNames.',
  'public-key': 'Use the certificate with the key of its request, or request a new one.',
};

/** One rejection. The message names the rule and quotes at most names of the certificate. */
export interface VerifyFailure {
  readonly ok: false;
  readonly reason: VerifyFailureReason;
  readonly message: string;
  /** The next action, as a sentence. */
  readonly next: string;
}

/** A rejection for `reason`. */
export function refuse(reason: VerifyFailureReason, message: string): VerifyFailure {
  return { ok: false, reason, message, next: FAILURE_ACTIONS[reason] };
}
