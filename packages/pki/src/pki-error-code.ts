/** Error codes of keys, certificates and requests. */

/**
 * - `RELAY_E_PKI_MALFORMED`: invalid text or bytes (PEM, DER, names, identities).
 * - `RELAY_E_PKI_AUTHORITY`: a signing certificate that may not or cannot sign (expired, not a CA, another key).
 * - `RELAY_E_PKI_KEY`: a private key that is unreadable, too weak, or does not match its certificate.
 * - `RELAY_E_PKI_REQUEST`: the caller requested a certificate that no template allows (no names, no lifetime).
 */
export type PkiErrorCode =
  | 'RELAY_E_PKI_MALFORMED'
  | 'RELAY_E_PKI_AUTHORITY'
  | 'RELAY_E_PKI_KEY'
  | 'RELAY_E_PKI_REQUEST';
