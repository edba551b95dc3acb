/** Registration: exchanges a token of a declared cluster, once, for a client certificate. */

import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { isKubeError, type Secrets } from '@meshrelay/kube';
import {
  isClusterName,
  readCsr,
  readTokenBook,
  TOKENS_SECRET,
  Token,
  type TokenCheckResult,
  type TokenRejection,
  tokenHash,
  withTokenBook,
} from '@meshrelay/pki';
import { TOKEN_SECRET } from '@meshrelay/relay-core';
import {
  type RegisterContext,
  type RegisterRequest,
  type RegisterResponse,
  RelayError,
} from '@meshrelay/relay-protocol';
import type { AuditLog } from '../audit/audit.ts';
import type { AgentIssuer } from './agent-issuer.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface RegistrarOptions {
  readonly secrets: Secrets;
  readonly issuer: AgentIssuer;
  readonly certificates: Pick<StoredCertificates, 'fresh'>;
  /** Whether the shared token registers clusters that were never registered. */
  readonly allowSharedToken: boolean;
  /**
   * Whether a KubernetesCluster of that name declares the cluster. @throws RelayError while the registrations are not
   * synced
   */
  readonly isDeclared: (cluster: string) => Promise<boolean>;
  readonly audit: AuditLog;
  readonly now: () => Date;
  /** Receives the result of each request, for counting. */
  readonly onResult?: (result: 'issued' | 'refused') => void;
}

/** How often a lost race for the token registry is retried. */
const ATTEMPTS = 8;
/** Minimum length of a shared token in characters: a client that guesses it can register. */
const SHORTEST_SHARED = 32;

const REJECTIONS: Readonly<Record<TokenRejection, string>> = {
  unknown: 'the token is not known; create one with meshctl cluster register',
  expired: 'the token has expired; create another with meshctl cluster register',
  used: 'the token was used before and is valid for one registration; create another with meshctl cluster register',
  'wrong-cluster':
    'the token was created for another cluster; set relay.cluster to that, or create a token for this one with meshctl cluster register',
  revoked: 'the token was revoked; create another with meshctl cluster register',
  'wrong-use': 'the token is an identity and cannot request a certificate; create one without --long-lived',
};

type Accepted = Extract<TokenCheckResult, { result: 'ok' }>;

export class Registrar {
  readonly #options: RegistrarOptions;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /**
   * Exchanges a token for a certificate.
   * @throws RelayError RELAY_E_UNAUTHENTICATED, RELAY_E_CLUSTER_NOT_DECLARED or RELAY_E_ALREADY_REGISTERED with the
   * reason, which the relay logs and sends to the caller. The reason never contains the token.
   */
  async register(request: RegisterRequest, { address: peer }: RegisterContext): Promise<RegisterResponse> {
    const { audit, onResult } = this.#options;
    const { cluster } = request;
    try {
      const { response, facts } = await this.#register(request);
      const { serial, keyHash } = facts;
      audit.record({ action: 'register', outcome: 'done', cluster, peer, serial, keyHash });
      onResult?.('issued');
      return response;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      audit.record({ action: 'register', outcome: 'refused', cluster, peer, reason });
      onResult?.('refused');
      throw error;
    }
  }

  async #register({ cluster, token: text, csrPem }: RegisterRequest): ReturnType<AgentIssuer['issue']> {
    const { issuer, certificates } = this.#options;
    if (!isClusterName(cluster)) throw refused('the registration request has no valid cluster name');
    const refuse = (reason: string): RelayError => refused(`cluster ${cluster} is not registered: ${reason}`);
    const csr = readCsr(csrPem);
    if (!csr.ok) throw refuse(`the signing request is not accepted: ${csr.message}`);
    // Read from the API server: agents give up a token when they learn that their certificate is still valid.
    const book = await certificates.fresh();
    if (await this.#isShared(text)) {
      await this.#requireDeclared(cluster);
      if (book.wasRegistered(cluster))
        throw refuse(
          'the shared token registers only clusters that were not registered before; create a token for this cluster (meshctl cluster register)',
        );
      return issuer.issue(cluster, csrPem, { by: 'token', replace: false });
    }
    const token = Token.read(text);
    if (token === undefined) throw refuse('the credential is not a token; create one with meshctl cluster register');
    const check = async ({ replace }: Accepted): Promise<void> => {
      await this.#requireDeclared(cluster);
      issuer.check(book, cluster, csrPem, { by: 'token', replace });
    };
    const result = await this.#useToken(token, cluster, csr.hash, check);
    if (result.result !== 'ok') throw refuse(REJECTIONS[result.result]);
    return issuer.issue(cluster, csrPem, { by: 'token', replace: result.replace });
  }

  /**
   * Checked only for callers with a token of the cluster: others cannot distinguish declared names. @throws RelayError
   * RELAY_E_CLUSTER_NOT_DECLARED
   */
  async #requireDeclared(cluster: string): Promise<void> {
    if (await this.#options.isDeclared(cluster)) return;
    throw new RelayError(
      'RELAY_E_CLUSTER_NOT_DECLARED',
      `cluster ${cluster} is not registered: no KubernetesCluster declares it; create one with that name`,
    );
  }

  /** Whether the text is the token that all clusters share. Compares hashes in constant time. */
  async #isShared(text: string): Promise<boolean> {
    if (!this.#options.allowSharedToken) return false;
    const shared = (await this.#options.secrets.read(TOKEN_SECRET))?.data['token']?.trim() ?? '';
    if (shared.length < SHORTEST_SHARED) return false;
    return timingSafeEqual(Buffer.from(tokenHash(shared), 'hex'), Buffer.from(tokenHash(text.trim()), 'hex'));
  }

  /**
   * Marks the token used by compare-and-swap, so that one of many attempts on many replicas wins. A rejection by
   * `check` uses no token.
   */
  async #useToken(
    token: Token,
    cluster: string,
    requestHash: string,
    check: (result: Accepted) => Promise<void>,
  ): Promise<TokenCheckResult> {
    const { secrets, now } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const secret = await secrets.read(TOKENS_SECRET);
      if (secret === undefined) return { result: 'unknown' };
      const use = readTokenBook(secret.data).use({ token, cluster, requestHash, now: now() });
      if (use.result !== 'ok') return use;
      await check(use);
      if (use.repeated) return use;
      try {
        await secrets.replace(secret, withTokenBook(secret.data, use.book));
        return use;
      } catch (error) {
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
      }
    }
    throw new RelayError('RELAY_E_UNAVAILABLE', 'too many registrations at once; try again');
  }
}

function refused(message: string): RelayError {
  return new RelayError('RELAY_E_UNAUTHENTICATED', message);
}
