/** The next action for each error code of keys and certificates. Messages hold the details. */
import type { PkiErrorCode } from './pki-error-code.ts';

/** A sentence each. */
export const NEXT_ACTIONS: Readonly<Record<PkiErrorCode, string>> = {
  RELAY_E_PKI_MALFORMED:
    'Put what is expected, whole, into the Secret, file or field that is named: certificates and keys as PEM.',
  RELAY_E_PKI_AUTHORITY:
    'Give a CA certificate that is valid now and may sign (CA:TRUE, keyCertSign), with the key that belongs to it.',
  RELAY_E_PKI_KEY:
    'Give the key of that certificate, unencrypted PEM: RSA of 2048 bits or more, or EC on P-256 or P-384.',
  RELAY_E_PKI_REQUEST: 'Ask for a certificate with the name and lifetime that are allowed.',
};
