/** Ends the identity of a cluster's agent: its certificates and its tokens are good no longer. */
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

/** What was good until now. */
export interface Revoked {
  readonly certificates: number;
}

/**
 * Lets a cluster in again whose certificates another issuer makes: with those made since it was revoked. Those before stay revoked.
 * @returns false where it was not revoked, or was registered since
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
 * Revokes everything that lets an agent connect as `cluster`. Every server replica ends its streams within five seconds. What the cluster has stays;
 * it comes back by registering anew. Safe to repeat. @throws KubeError
 */
export async function revokeCluster({ management, namespace, now }: TokenPlace, cluster: string): Promise<Revoked> {
  const secrets = new Secrets(management, namespace);
  const notes = { annotations: await requestNotes(management) };
  // The tokens first: one that is presented meanwhile must not buy a certificate after the others are gone.
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
