/** Registration: a token for a declared cluster, once, becomes a client certificate. */
import { isKubeError, type Secrets } from '@meshrelay/kube';
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  isClusterName,
  issueAgentCertificate,
  readCsr,
  readTokenBook,
  TOKENS_SECRET,
  Token,
  type TokenRefusal,
  withTokenBook,
} from '@meshrelay/pki';
import { type RegisterRequest, type RegisterResponse, RelayError } from '@meshrelay/relay-protocol';
import type { RelayAuthorities } from './authorities.ts';

export interface RegistrarOptions {
  readonly secrets: Secrets;
  readonly trustDomain: string;
  readonly authorities: RelayAuthorities;
  /** Whether a KubernetesCluster of that name declares the cluster. @throws RelayError while that is not known */
  readonly isDeclared: (cluster: string) => Promise<boolean>;
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

export class Registrar {
  readonly #options: RegistrarOptions;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /**
   * Trades a token for a certificate.
   * @throws RelayError RELAY_E_UNAUTHENTICATED with the reason, which the relay logs and tells the caller; it never holds the token.
   */
  async register(request: RegisterRequest): Promise<RegisterResponse> {
    const { onResult } = this.#options;
    try {
      const response = await this.#register(request);
      onResult?.('issued');
      return response;
    } catch (error) {
      onResult?.('refused');
      throw error;
    }
  }

  async #register({ cluster, token: text, csrPem }: RegisterRequest): Promise<RegisterResponse> {
    const { trustDomain, authorities, isDeclared, now } = this.#options;
    if (!isClusterName(cluster)) throw refused('what asks to register gives no valid cluster name');
    const refuse = (reason: string): RelayError => refused(`cluster ${cluster} is not registered: ${reason}`);
    if (!(await isDeclared(cluster))) throw refuse('no KubernetesCluster declares it; create one of that name');
    const csr = readCsr(csrPem);
    if (!csr.ok) throw refuse(`the signing request is not acceptable: ${csr.message}`);
    const token = Token.read(text);
    if (token === undefined) throw refuse('what was presented is no token');
    const verdict = await this.#useToken(token, cluster, csr.hash);
    if (verdict !== 'ok') throw refuse(REFUSALS[verdict]);
    const issued = await issueAgentCertificate({
      ca: authorities.signing,
      csrPem,
      identity: agentIdentity(asTrustDomain(trustDomain), cluster),
      now: now(),
    });
    if (!issued.ok) throw refuse(`the signing request is not acceptable: ${issued.message}`);
    return { certificatePem: issued.chainPem, rootsPem: authorities.rootsPem };
  }

  /** Marks the token used by compare-and-swap, so that of many tries on many replicas one wins. */
  async #useToken(token: Token, cluster: string, requestHash: string): Promise<TokenRefusal | 'ok'> {
    const { secrets, now } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const secret = await secrets.read(TOKENS_SECRET);
      if (secret === undefined) return 'unknown';
      const use = readTokenBook(secret.data).use({ token, cluster, requestHash, now: now() });
      if (use.verdict !== 'ok' || use.repeated) return use.verdict;
      try {
        await secrets.replace(secret, withTokenBook(secret.data, use.book));
        return 'ok';
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
