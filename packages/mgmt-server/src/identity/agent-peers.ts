/**
 * Maps a certificate to the cluster of its agent: the one it names, or the one a rule assigns. The cluster must be
 * registered and not revoked.
 */
import {
  trustDomain as asTrustDomain,
  type Certificate,
  type CertificateFacts,
  certificateFacts,
  RENEWAL_GRACE_DAYS,
  verifyPeer,
} from '@meshrelay/pki';
import { type IdentifyResult, RelayError } from '@meshrelay/relay-protocol';
import { revoked } from './agent-issuer.ts';
import type { RelayAuthorities } from './authorities.ts';
import { mapClient } from './client-issuers.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface AgentPeersOptions {
  readonly trustDomain: string;
  readonly authorities: () => RelayAuthorities;
  readonly certificates: Pick<StoredCertificates, 'present'>;
  /** @throws RelayError RELAY_E_UNAVAILABLE while the registrations are not synced */
  readonly isRegistered: (cluster: string) => Promise<boolean>;
  readonly now: () => Date;
}

/** An agent as its certificate names it. */
export interface AgentPeer {
  readonly cluster: string;
  readonly facts: CertificateFacts;
  readonly certificate: Certificate;
  /** Whether the relay issued the certificate, and so renews it. */
  readonly managed: boolean;
}

export class AgentPeers {
  readonly #options: AgentPeersOptions;

  constructor(options: AgentPeersOptions) {
    this.#options = options;
  }

  /** Used by the authentication of every call. */
  async identify(certificatePem: string): Promise<IdentifyResult> {
    const peer = await this.verify(certificatePem);
    return 'refused' in peer ? peer : { cluster: peer.cluster };
  }

  /** Verifies a certificate: chain, names, times, registration, deny list. @throws RelayError RELAY_E_UNAVAILABLE */
  verify(certificatePem: string): Promise<AgentPeer | { readonly refused: string }> {
    return this.#verify(certificatePem, 0);
  }

  /** Verifies a certificate that expired at most thirty days ago. The caller must also prove its key. */
  evaluateExpired(certificatePem: string): Promise<AgentPeer | { readonly refused: string }> {
    return this.#verify(certificatePem, RENEWAL_GRACE_DAYS);
  }

  async #verify(certificatePem: string, graceDays: number): Promise<AgentPeer | { readonly refused: string }> {
    const { certificates, isRegistered } = this.#options;
    const named = this.#named(certificatePem, graceDays);
    if ('refused' in named) return named;
    const { cluster, facts } = named;
    if (!(await isRegistered(cluster))) return { refused: notRegistered(cluster) };
    if ((await certificates.present()).verify(cluster, facts) === 'revoked')
      return { refused: revoked(cluster).message };
    return named;
  }

  /** The agent that the certificate names: directly if the relay issued it, else by a rule of its issuer. */
  #named(certificatePem: string, graceDays: number): AgentPeer | { readonly refused: string } {
    const { trustDomain, authorities, now } = this.#options;
    const { signingPem, roots, clientIssuers } = authorities();
    const verified = verifyPeer({
      purpose: 'agent',
      trustDomain: asTrustDomain(trustDomain),
      chain: `${certificatePem}\n${signingPem}`,
      roots,
      now: now(),
      graceDays,
    });
    if (verified.ok) {
      const { cluster, certificate, path } = verified;
      if (cluster === undefined) return { refused: 'the certificate is not an agent certificate' };
      return { cluster, facts: certificateFacts(certificate, path[1]), certificate, managed: true };
    }
    // An expired certificate is renewed by its own issuer only, never because of a rule.
    if (clientIssuers.length === 0 || graceDays > 0) return { refused: verified.message };
    const mapped = mapClient(clientIssuers, certificatePem, now());
    if ('refused' in mapped)
      return { refused: `neither the relay (${verified.message}) nor another issuer has issued it: ${mapped.refused}` };
    const { cluster } = mapped;
    const { certificate } = mapped.verified;
    return { cluster, facts: certificateFacts(certificate), certificate, managed: false };
  }
}

export function notRegistered(cluster: string): string {
  return `cluster ${cluster} is not registered; create its KubernetesCluster`;
}

/** The peer; throws the rejection as an error. */
export function accepted(peer: AgentPeer | { readonly refused: string }): AgentPeer {
  if ('refused' in peer) throw new RelayError('RELAY_E_UNAUTHENTICATED', peer.refused);
  return peer;
}
