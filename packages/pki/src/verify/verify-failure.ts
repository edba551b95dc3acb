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
  malformed: 'Give the whole chain as PEM, the certificate first.',
  'chain-too-long': 'Leave out of the chain what does not lead to the root, and issue from a CA nearer to it.',
  'not-well-formed': 'Have the certificate made anew by an issuer that keeps to RFC 5280.',
  'key-not-allowed': 'Make a new key: RSA of 2048 bits or more, or EC on P-256 or P-384, and have that certified.',
  signature: 'Put the certificates of the CAs that really signed into the chain, in their order.',
  'signature-algorithm': 'Have the certificate signed anew, with SHA-256 or better.',
  untrusted: 'Give the root that signed it to whoever judges, or have it issued under one that is trusted there.',
  'not-yet-valid': 'Set the clocks of both machines right; else wait until it begins.',
  expired: 'Renew it; where its issuer is a CA that has ended, exchange that first.',
  'not-a-ca': 'Issue from a certificate that is a CA (CA:TRUE).',
  'leaf-is-ca': 'Have a certificate issued that is no CA, and keep the CA for signing.',
  'path-length': 'Issue from a CA whose path length allows for the CAs below it.',
  'name-constraints': 'Issue it from a CA whose name constraints allow this name, or widen them.',
  'key-usage': 'Have it issued with digitalSignature, and a CA with keyCertSign.',
  'extended-key-usage': 'Have it issued with clientAuth for an agent, with serverAuth for a server.',
  'unknown-critical-extension': 'Have it issued without the extension, or without it being critical.',
  identity: 'Have it issued with exactly the identity that is expected, as its one URI name.',
  'trust-domain': 'Set relay.trustDomain alike at server and agents, or have it issued for that trust domain.',
  'server-name':
    'Dial a name that is in the certificate, set relay.authority to one, or add the name to relay.serverNames.',
  'public-key': 'Use the certificate with the key that it was asked for, or ask anew.',
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
