/** Why a certificate chain is refused. */

/** The reasons, from "could not be read" to "belongs to another". */
export type RefusalReason =
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

/** One refusal. The message names the rule and never quotes more than names out of the certificate. */
export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly message: string;
}

/** A refusal for `reason`. */
export function refuse(reason: RefusalReason, message: string): Refusal {
  return { ok: false, reason, message };
}
