/** Which cluster's agent a certificate speaks for: exactly the one it names, registered, and not revoked. */
import {
  trustDomain as asTrustDomain,
  type CertificateFacts,
  certificateFacts,
  RENEWAL_GRACE_DAYS,
  type VerifiedPeer,
  verifyPeer,
} from '@meshrelay/pki';
import { type IdentifyResult, RelayError } from '@meshrelay/relay-protocol';
import { revoked } from './agent-issuer.ts';
import type { RelayAuthorities } from './authorities.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface AgentPeersOptions {
  readonly trustDomain: string;
  readonly authorities: () => RelayAuthorities;
  readonly certificates: Pick<StoredCertificates, 'present'>;
  /** @throws RelayError RELAY_E_UNAVAILABLE while that cannot be known */
  readonly isRegistered: (cluster: string) => Promise<boolean>;
  readonly now: () => Date;
}

/** An agent as its certificate names it. */
export interface AgentPeer {
  readonly cluster: string;
  readonly facts: CertificateFacts;
  readonly verified: VerifiedPeer;
}

export class AgentPeers {
  readonly #options: AgentPeersOptions;

  constructor(options: AgentPeersOptions) {
    this.#options = options;
  }

  /** For the gate of every call. */
  async identify(certificatePem: string): Promise<IdentifyResult> {
    const peer = await this.judge(certificatePem);
    return 'refused' in peer ? peer : { cluster: peer.cluster };
  }

  /** Judges a certificate: chain, names, times, registration, deny list. @throws RelayError RELAY_E_UNAVAILABLE */
  judge(certificatePem: string): Promise<AgentPeer | { readonly refused: string }> {
    return this.#judge(certificatePem, 0);
  }

  /** Judges one that may have ended up to thirty days ago. Whoever presents it must prove its key besides. */
  judgeExpired(certificatePem: string): Promise<AgentPeer | { readonly refused: string }> {
    return this.#judge(certificatePem, RENEWAL_GRACE_DAYS);
  }

  async #judge(certificatePem: string, graceDays: number): Promise<AgentPeer | { readonly refused: string }> {
    const { trustDomain, authorities, certificates, isRegistered, now } = this.#options;
    const { signingPem, roots } = authorities();
    const verified = verifyPeer({
      purpose: 'agent',
      trustDomain: asTrustDomain(trustDomain),
      chain: `${certificatePem}\n${signingPem}`,
      roots,
      now: now(),
      graceDays,
    });
    if (!verified.ok) return { refused: verified.message };
    const { cluster } = verified;
    if (cluster === undefined) return { refused: 'the certificate is no agent certificate' };
    if (!(await isRegistered(cluster))) return { refused: notRegistered(cluster) };
    const facts = certificateFacts(verified.certificate, verified.path[1]);
    if ((await certificates.present()).judge(cluster, facts) === 'revoked')
      return { refused: revoked(cluster).message };
    return { cluster, facts, verified };
  }
}

export function notRegistered(cluster: string): string {
  return `cluster ${cluster} is not registered; create its KubernetesCluster`;
}

/** The peer, or the refusal as an error. */
export function accepted(peer: AgentPeer | { readonly refused: string }): AgentPeer {
  if ('refused' in peer) throw new RelayError('RELAY_E_UNAUTHENTICATED', peer.refused);
  return peer;
}
