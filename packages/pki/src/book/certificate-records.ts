/** Storage of the certificate registry in the management cluster: a Secret with one key per cluster. */
import { hash } from 'node:crypto';
import type { Certificate } from '../certificate/certificate.ts';
import { malformed } from '../pki-error.ts';
import type { ClusterCertificates } from './book-record.ts';
import { type CertificateFacts, CertificateRegistry } from './certificate-registry.ts';

/** The Secret in the management namespace. Its keys are names of clusters, its values the records as JSON. */
export const CERTIFICATES_SECRET = 'relay-certificates';

type SecretData = Readonly<Record<string, string>>;

/**
 * The registry in the Secret's data; empty without data. @throws PkiError naming the Secret and the key if it is
 * unreadable
 */
export function readCertificateBook(data: SecretData = {}): CertificateRegistry {
  return new CertificateRegistry(
    Object.entries(data).map(([cluster, text]) => {
      try {
        const records = JSON.parse(text) as ClusterCertificates;
        // Checked one by one, so that the message names the key.
        new CertificateRegistry([[cluster, records]]);
        return [cluster, records];
      } catch (cause) {
        throw malformed(
          `Secret ${CERTIFICATES_SECRET}: ${cluster} holds no certificate records, so revoked certificates are unknown`,
          {
            next: 'Restore it from a backup, or delete that key and revoke the cluster (meshctl cluster revoke).',
            cause,
          },
        );
      }
    }),
  );
}

/** The Secret's data for a registry. */
export function writeCertificateBook(book: CertificateRegistry): SecretData {
  return Object.fromEntries([...book.clusters].map(([cluster, records]) => [cluster, JSON.stringify(records)]));
}

/** SHA-256 of a public key in hex: identifies keys in records. */
export function keyHashOf({ publicKey }: Pick<Certificate, 'publicKey'>): string {
  return hash('sha256', publicKey.der, 'hex');
}

/** The recorded facts of a certificate. */
export function certificateFacts(certificate: Certificate, issuer?: Certificate): CertificateFacts {
  const { serial, notBefore, notAfter } = certificate;
  return {
    serial,
    keyHash: keyHashOf(certificate),
    notBefore,
    notAfter,
    ...(issuer === undefined ? {} : { issuer: keyHashOf(issuer) }),
  };
}
