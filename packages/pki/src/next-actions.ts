/** The next action for each error code of keys and certificates. Messages hold the details. */
import type { PkiErrorCode } from './pki-error-code.ts';

/** A sentence each. */
export const NEXT_ACTIONS: Readonly<Record<PkiErrorCode, string>> = {
  RELAY_E_PKI_MALFORMED:
    'Put the complete expected data into the named Secret, file or field: certificates and keys as PEM.',
  RELAY_E_PKI_AUTHORITY: 'Provide a valid CA certificate that may sign (CA:TRUE, keyCertSign), with its key.',
  RELAY_E_PKI_KEY:
    'Provide the key of that certificate as unencrypted PEM: RSA with 2048 bits or more, or EC on P-256 or P-384.',
  RELAY_E_PKI_REQUEST: 'Request a certificate with an allowed name and lifetime.',
};
