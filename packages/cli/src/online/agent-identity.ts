/** What a cluster has of its agent's identity, by the Secret in which the agent keeps it. */

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
  /** Whose agent the certificate names; undefined where there is no certificate that names an agent. */
  readonly cluster: string | undefined;
  /** Of the certificate's public key, as `CertificateRegistry` has it. */
  readonly certificateKey: string | undefined;
  /** Of all public keys that the agent has a certificate or a pending request for. */
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

/** What cannot be read is no certificate to the agent either: it registers for another. */
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
