/** Registration: a token for a declared cluster, once, becomes a client certificate. */
import { isKubeError, type Secrets } from '@meshrelay/kube';
import {
  isClusterName,
  readCsr,
  readTokenBook,
  TOKENS_SECRET,
  Token,
  type TokenRefusal,
  type TokenVerdict,
  withTokenBook,
} from '@meshrelay/pki';
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
  readonly certificates: Pick<StoredCertificates, 'present'>;
  /** Whether a KubernetesCluster of that name declares the cluster. @throws RelayError while that is not known */
  readonly isDeclared: (cluster: string) => Promise<boolean>;
  readonly audit: AuditLog;
  readonly now: () => Date;
  /** Told of each request, for counting. */
  readonly onResult?: (result: 'issued' | 'refused') => void;
}

/** How often a lost race for the token book is run again. */
const ATTEMPTS = 8;

const REFUSALS: Readonly<Record<TokenRefusal, string>> = {
  unknown: 'the token is not known; make one with meshctl cluster register',
  expired: 'the token has expired; make another with meshctl cluster register',
  used: 'the token was used before, and is good for one registration; make another with meshctl cluster register',
  'wrong-cluster': 'the token was made for another cluster',
  revoked: 'the token was revoked',
};

type Accepted = Extract<TokenVerdict, { verdict: 'ok' }>;

export class Registrar {
  readonly #options: RegistrarOptions;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /**
   * Trades a token for a certificate.
   * @throws RelayError RELAY_E_UNAUTHENTICATED or RELAY_E_REGISTERED with the reason, which the relay logs and tells the caller; it never holds
   * the token.
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
    const { isDeclared, issuer, certificates } = this.#options;
    if (!isClusterName(cluster)) throw refused('what asks to register gives no valid cluster name');
    const refuse = (reason: string): RelayError => refused(`cluster ${cluster} is not registered: ${reason}`);
    if (!(await isDeclared(cluster))) throw refuse('no KubernetesCluster declares it; create one of that name');
    const csr = readCsr(csrPem);
    if (!csr.ok) throw refuse(`the signing request is not acceptable: ${csr.message}`);
    const token = Token.read(text);
    if (token === undefined) throw refuse('what was presented is no token');
    const book = await certificates.present();
    const check = ({ replace }: Accepted): void => issuer.check(book, cluster, csrPem, { by: 'token', replace });
    const verdict = await this.#useToken(token, cluster, csr.hash, check);
    if (verdict.verdict !== 'ok') throw refuse(REFUSALS[verdict.verdict]);
    return issuer.issue(cluster, csrPem, { by: 'token', replace: verdict.replace });
  }

  /**
   * Marks the token used by compare-and-swap, so that of many tries on many replicas one wins. What `check` refuses costs no token.
   */
  async #useToken(
    token: Token,
    cluster: string,
    requestHash: string,
    check: (verdict: Accepted) => void,
  ): Promise<TokenVerdict> {
    const { secrets, now } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const secret = await secrets.read(TOKENS_SECRET);
      if (secret === undefined) return { verdict: 'unknown' };
      const use = readTokenBook(secret.data).use({ token, cluster, requestHash, now: now() });
      if (use.verdict !== 'ok') return use;
      check(use);
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
