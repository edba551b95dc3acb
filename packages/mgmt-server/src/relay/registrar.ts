/** Registration: a token for a declared cluster, once, becomes a client certificate. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  isClusterName,
  issueAgentCertificate,
  readCsr,
  Token,
  TokenBook,
  type TokenRecord,
  type TokenRefusal,
} from '@meshrelay/pki';
import {
  type RegisterContext,
  type RegisterRequest,
  type RegisterResponse,
  RelayError,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { SECRET } from '../input/secret.ts';
import type { RelayAuthorities } from './authorities.ts';

/** The Secret that keeps hashes of tokens, never tokens. */
export const TOKENS_SECRET = 'relay-tokens';
/** Its one key: a JSON list of token records. */
export const TOKENS_KEY = 'records.json';

export interface RegistrarOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly trustDomain: string;
  readonly authorities: RelayAuthorities;
  /** Whether a KubernetesCluster of that name declares the cluster. */
  readonly isDeclared: (cluster: string) => boolean;
  readonly now: () => Date;
  readonly logger: Logger;
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

  /** Trades a token for a certificate. Every refusal is logged with its reason and told to the caller; no token is. */
  async register(request: RegisterRequest, { address }: RegisterContext): Promise<RegisterResponse> {
    const { logger } = this.#options;
    const { cluster } = request;
    try {
      const response = await this.#register(request);
      logger.info('agent registered', { cluster, address, program: request.program });
      return response;
    } catch (error) {
      if (error instanceof RelayError) logger.warn('registration refused', { cluster, address, reason: error.message });
      throw error;
    }
  }

  async #register({ cluster, token: text, csrPem }: RegisterRequest): Promise<RegisterResponse> {
    const { trustDomain, authorities, isDeclared, now } = this.#options;
    if (!isClusterName(cluster)) throw refused('the name of the cluster is not valid');
    if (!isDeclared(cluster)) throw refused(`no KubernetesCluster declares a cluster ${cluster}; create it first`);
    const csr = readCsr(csrPem);
    if (!csr.ok) throw refused(`the signing request is not acceptable: ${csr.message}`);
    await this.#useToken(text, cluster, csr.hash);
    const issued = await issueAgentCertificate({
      ca: authorities.signing,
      csrPem,
      identity: agentIdentity(asTrustDomain(trustDomain), cluster),
      now: now(),
    });
    if (!issued.ok) throw refused(`the signing request is not acceptable: ${issued.message}`);
    return { certificatePem: issued.chainPem, rootsPem: authorities.rootsPem };
  }

  /** Marks the token used by compare-and-swap, so that of many tries on many replicas one wins. */
  async #useToken(text: string, cluster: string, requestHash: string): Promise<void> {
    const { connection, namespace, now } = this.#options;
    const token = readToken(text);
    const secrets = connection.objects(SECRET);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const secret = await secrets.read({ namespace, name: TOKENS_SECRET });
      const use = readTokenBook(secret).use({ token, cluster, requestHash, now: now() });
      if (use.verdict !== 'ok') throw refused(REFUSALS[use.verdict]);
      if (use.repeated || secret === undefined) return;
      try {
        await secrets.replace(withTokenBook(secret, use.book));
        return;
      } catch (error) {
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
      }
    }
    throw new RelayError('RELAY_E_UNAVAILABLE', 'too many registrations at once; try again');
  }
}

function readToken(text: string): Token {
  const token = Token.read(text);
  if (token === undefined) throw refused('what was presented is no token');
  return token;
}

/** The book a Secret holds; empty where there is none. */
export function readTokenBook(secret: KubeObject | undefined): TokenBook {
  const encoded = (secret as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.[TOKENS_KEY];
  if (encoded === undefined) return new TokenBook();
  return new TokenBook(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')) as readonly TokenRecord[]);
}

function withTokenBook(secret: KubeObject, book: TokenBook): KubeObject {
  const data = {
    ...(secret as unknown as { data?: object }).data,
    [TOKENS_KEY]: Buffer.from(JSON.stringify(book.records)).toString('base64'),
  };
  return { ...secret, data } as unknown as KubeObject;
}

function refused(message: string): RelayError {
  return new RelayError('RELAY_E_UNAUTHENTICATED', message);
}
