/** When certificates that Node's own TLS is given end; they may be of kinds that the relay's own would never be. */
import { X509Certificate } from 'node:crypto';

/** The end of the first certificate in a PEM. @throws Error where there is none */
export function endOf(pem: string): Date {
  return new Date(new X509Certificate(pem).validTo);
}
