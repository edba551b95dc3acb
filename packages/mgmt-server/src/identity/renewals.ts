/** Renewal: exchanges a certificate for a new one of the same cluster only, by proof of its key. */
import { readCertificates, verifyPossession } from '@meshrelay/pki';
import { RelayError, type RenewContext, type RenewRequest, type RenewResponse } from '@meshrelay/relay-protocol';
import type { AuditLog } from '../audit/audit.ts';
import type { AgentIssuer } from './agent-issuer.ts';
import { type AgentPeer, type AgentPeers, accepted } from './agent-peers.ts';
import { Challenges } from './challenges.ts';

export interface RenewalsOptions {
  readonly peers: AgentPeers;
  readonly issuer: AgentIssuer;
  readonly audit: AuditLog;
  readonly now: () => Date;
  /** Receives the result of each request, for counting. */
  readonly onResult?: (result: 'issued' | 'refused') => void;
}

/** How a caller's key was proved. */
type Proof = 'tls' | 'signature';

const NO_CHALLENGE = new Uint8Array();
const MAX_CERTIFICATES = 4;

export class Renewals {
  readonly #options: RenewalsOptions;
  readonly #challenges: Challenges;

  constructor(options: RenewalsOptions) {
    this.#options = options;
    this.#challenges = new Challenges(options.now);
  }

  /**
   * Issues a new certificate. Over TLS with a client certificate, the handshake proves its key. Without one, the caller
   * presents its expired certificate, gets a challenge, and calls again with the proof.
   * @throws RelayError with the reason, which both logs have
   */
  async renew(request: RenewRequest, context: RenewContext): Promise<RenewResponse> {
    const { audit, onResult } = this.#options;
    try {
      return await this.#renew(request, context);
    } catch (error) {
      onResult?.('refused');
      const reason = error instanceof Error ? error.message : String(error);
      const cluster = context.caller?.cluster ?? context.claimed;
      audit.record({ action: 'renew', outcome: 'refused', cluster, peer: context.address, reason });
      throw error;
    }
  }

  async #renew(request: RenewRequest, context: RenewContext): Promise<RenewResponse> {
    const { peers } = this.#options;
    const { caller } = context;
    if (caller !== undefined) {
      refuseMixture(request);
      if (caller.credential.kind === 'token')
        throw refused(
          'a token cannot be renewed; create another (meshctl token create --long-lived) and give it to the agent',
        );
      const present = accepted(await peers.verify(caller.credential.pem));
      if (!present.managed) throw refused('the relay did not issue this certificate; its issuer renews it');
      return this.#issue(present, request, context, 'tls');
    }
    const [leaf] = readExpired(request.expiredCertificatePem);
    const peer = accepted(await peers.evaluateExpired(request.expiredCertificatePem));
    context.requireCluster(peer.cluster);
    const { certificate } = peer;
    const { fingerprint } = certificate;
    if (leaf?.fingerprint !== fingerprint)
      throw refused('the first certificate is not the one that was verified; send the expired one first');
    if (request.proof.length === 0)
      return { certificatePem: '', rootsPem: '', challenge: this.#challenges.make(fingerprint) };
    const { challenge, csrPem, proof } = request;
    if (!this.#challenges.isOpen(challenge, fingerprint))
      throw refused('this server did not send the challenge within the last minute; request a new one');
    if (!verifyPossession(certificate, { challenge, csrPem }, proof))
      throw refused(
        'the proof is not signed with the key of the expired certificate; if that key is lost, register again (meshctl cluster register --replace)',
      );
    this.#challenges.close(challenge);
    return this.#issue(peer, request, context, 'signature');
  }

  async #issue(
    { cluster, facts: evaluated }: AgentPeer,
    { csrPem }: RenewRequest,
    { address }: RenewContext,
    proof: Proof,
  ): Promise<RenewResponse> {
    const { issuer, audit, onResult } = this.#options;
    const { response, facts } = await issuer.issue(cluster, csrPem, { by: 'certificate', evaluated });
    const { serial, keyHash } = facts;
    const reason = `in place of ${evaluated.serial}, by ${proof}`;
    audit.record({ action: 'renew', outcome: 'done', cluster, peer: address, serial, keyHash, reason });
    onResult?.('issued');
    return { ...response, challenge: NO_CHALLENGE };
  }
}

/** Rejects requests that use both methods of authentication. */
function refuseMixture({ expiredCertificatePem, challenge, proof }: RenewRequest): void {
  if (expiredCertificatePem !== '' || challenge.length > 0 || proof.length > 0)
    throw new RelayError(
      'RELAY_E_IDENTITY_MISMATCH',
      'a connection with a client certificate can only renew that certificate; send an expired one without a client certificate',
    );
}

function readExpired(pem: string): ReturnType<typeof readCertificates> {
  if (pem === '')
    throw refused('Renew needs a client certificate, or an expired one in the request with a proof of its key');
  try {
    return readCertificates(pem, 'expired certificate', { max: MAX_CERTIFICATES });
  } catch (cause) {
    throw new RelayError(
      'RELAY_E_UNAUTHENTICATED',
      'the expired certificate cannot be read; send it as PEM, or register again (meshctl cluster register --replace)',
      { cause },
    );
  }
}

function refused(message: string): RelayError {
  return new RelayError('RELAY_E_UNAUTHENTICATED', message);
}
