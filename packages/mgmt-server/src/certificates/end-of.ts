/** Expiry of certificates that Node's own TLS uses. Their key types may be ones that the relay never issues. */
import { X509Certificate } from 'node:crypto';

/** Expiry of the first certificate in a PEM. @throws Error if the PEM has no certificate */
export function endOf(pem: string): Date {
  return new Date(new X509Certificate(pem).validTo);
}
