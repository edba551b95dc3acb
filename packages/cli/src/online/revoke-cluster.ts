/** Revokes the identity of a cluster's agent: its certificates and tokens become invalid. */
import { type SecretData, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  readCertificateBook,
  readTokenBook,
  TOKENS_SECRET,
  withTokenBook,
  writeCertificateBook,
} from '@meshrelay/pki';
import { requestNotes } from './requester.ts';
import type { TokenPlace } from './tokens.ts';

/** The credentials that were valid until now. */
export interface Revoked {
  readonly certificates: number;
}

/**
 * Readmits a cluster whose certificates an external issuer creates: accepts those issued after the revocation. Earlier
 * ones stay revoked.
 * @returns false if it was not revoked, or was registered since
 * @throws KubeError
 */
export async function readmitCluster(
  { management, namespace }: Omit<TokenPlace, 'now'>,
  cluster: string,
): Promise<boolean> {
  const secrets = new Secrets(management, namespace);
  const isClusterRevoked = (data: SecretData | undefined): boolean =>
    readCertificateBook(data).isClusterRevoked(cluster);
  if (!isClusterRevoked((await secrets.read(CERTIFICATES_SECRET))?.data)) return false;
  const annotations = await requestNotes(management);
  const readmit = (before: SecretData): SecretData =>
    writeCertificateBook(readCertificateBook(before).readmit(cluster));
  await secrets.update(CERTIFICATES_SECRET, readmit, { annotations });
  return true;
}

/**
 * Revokes all credentials of agents that connect as `cluster`. Every server replica closes its streams within five
 * seconds. Objects in the cluster stay; it returns after a new registration. Safe to repeat.
 * @throws KubeError
 */
export async function revokeCluster({ management, namespace, now }: TokenPlace, cluster: string): Promise<Revoked> {
  const secrets = new Secrets(management, namespace);
  const notes = { annotations: await requestNotes(management) };
  // Tokens first: otherwise a token could obtain a certificate after the existing ones are revoked.
  if ((await secrets.read(TOKENS_SECRET)) !== undefined)
    await secrets.update(
      TOKENS_SECRET,
      (before) => withTokenBook(before, readTokenBook(before).revoke(cluster, now())),
      notes,
    );
  let certificates = 0;
  const revoke = (before: SecretData): SecretData => {
    const book = readCertificateBook(before);
    certificates = book.live(cluster, now()).length;
    return writeCertificateBook(book.revoke(cluster, now()));
  };
  await secrets.update(CERTIFICATES_SECRET, revoke, notes);
  return { certificates };
}
