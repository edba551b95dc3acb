/** Reads a cluster's agent identity from the Secret in which the agent stores it. */

import type { SecretData, Secrets } from '@meshrelay/kube';
import {
  type Certificate,
  keyHashOf,
  PkiError,
  readAgentIdentity,
  readCertificates,
  readCsr,
  readSvid,
} from '@meshrelay/pki';
import { CLIENT_SECRET } from '@meshrelay/relay-core';

export interface AgentIdentity {
  /** The cluster that the certificate names; undefined without an agent certificate. */
  readonly cluster: string | undefined;
  /** Of the certificate's public key, in the format of `CertificateRegistry`. */
  readonly certificateKey: string | undefined;
  /** Of all public keys for which the agent has a certificate or a pending request. */
  readonly keys: ReadonlySet<string>;
}

/** @throws KubeError */
export async function readAgentIdentityOf(secrets: Secrets): Promise<AgentIdentity> {
  const data = (await secrets.read(CLIENT_SECRET))?.data ?? {};
  const certificate = certificateIn(data);
  const cluster = certificate === undefined ? undefined : clusterOf(certificate);
  const certificateKey = cluster === undefined || certificate === undefined ? undefined : keyHashOf(certificate);
  const keys = [certificateKey, requestKey(data['tls.csr']), requestKey(data['next.csr'])];
  return { cluster, certificateKey, keys: new Set(keys.filter((key) => key !== undefined)) };
}

/** An unreadable certificate is invalid for the agent too: it registers for another. */
function certificateIn({ 'tls.crt': pem }: SecretData): Certificate | undefined {
  if (pem === undefined) return undefined;
  try {
    return readCertificates(pem, CLIENT_SECRET, { max: 10, allowText: true })[0];
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

function clusterOf(certificate: Certificate): string | undefined {
  const svid = readSvid(certificate, []);
  return svid.ok ? readAgentIdentity(svid.identity)?.cluster : undefined;
}

function requestKey(pem: string | undefined): string | undefined {
  const request = pem === undefined ? undefined : readCsr(pem);
  return request?.ok === true ? keyHashOf(request) : undefined;
}
