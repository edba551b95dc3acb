/** Signs agents' certificates. Each is recorded in the registry before it is sent. */
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  type CertificateFacts,
  type CertificateRegistry,
  certificateFacts,
  issueAgentCertificate,
  keyHashOf,
  MAX_LIVE_CERTIFICATES,
  readCsr,
} from '@meshrelay/pki';
import { type RegisterResponse, RelayError } from '@meshrelay/relay-protocol';
import type { RelayAuthorities } from './authorities.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface AgentIssuerOptions {
  readonly trustDomain: string;
  readonly authorities: () => RelayAuthorities;
  readonly certificates: Pick<StoredCertificates, 'change' | 'present'>;
  /** Lifetime of a certificate in days; a fraction in tests. */
  readonly lifetimeDays: number;
  readonly now: () => Date;
}

/**
 * Grounds of issuance: a token, which replaces all earlier certificates if the operator set `replace`; or possession of
 * another certificate of the same cluster.
 */
export type IssueGrounds =
  | { readonly by: 'token'; readonly replace: boolean }
  | { readonly by: 'certificate'; readonly evaluated: CertificateFacts };

/** The issued certificate. */
export interface IssuedToAgent {
  readonly response: RegisterResponse;
  readonly facts: CertificateFacts;
}

export class AgentIssuer {
  readonly #options: AgentIssuerOptions;

  constructor(options: AgentIssuerOptions) {
    this.#options = options;
  }

  /**
   * Issues a certificate that names exactly `cluster`, whatever the request contains.
   * @throws RelayError: RELAY_E_UNAUTHENTICATED for an invalid request, RELAY_E_ALREADY_REGISTERED,
   * RELAY_E_RESOURCE_EXHAUSTED
   */
  async issue(cluster: string, csrPem: string, grounds: IssueGrounds): Promise<IssuedToAgent> {
    const { trustDomain, authorities, certificates, lifetimeDays: days, now } = this.#options;
    const { signing, rootsPem } = authorities();
    this.check(await certificates.present(), cluster, csrPem, grounds);
    const identity = agentIdentity(asTrustDomain(trustDomain), cluster);
    const issued = await issueAgentCertificate({ ca: signing, csrPem, identity, days, now: now() });
    if (!issued.ok) throw unacceptable(cluster, issued.message);
    const facts = certificateFacts(issued.certificate, signing.certificate);
    await certificates.change((book) => {
      // Checked again: another replica may have been faster.
      this.check(book, cluster, csrPem, grounds);
      return grounds.by === 'token' ? book.supersede(cluster, facts, now()) : book.issue(cluster, facts, now());
    });
    return { response: { certificatePem: issued.chainPem, rootsPem }, facts };
  }

  /** Checks that the current registry permits a certificate. @throws RelayError as `issue` */
  check(book: CertificateRegistry, cluster: string, csrPem: string, grounds: IssueGrounds): void {
    const csr = readCsr(csrPem);
    if (!csr.ok) throw unacceptable(cluster, csr.message);
    const keyHash = keyHashOf({ publicKey: csr.publicKey });
    if (book.isKeyRevoked(keyHash)) throw unacceptable(cluster, 'its key was revoked; create another');
    const live = book.live(cluster, this.#options.now());
    if (grounds.by === 'token') {
      const other = live.find((record) => record.keyHash !== keyHash);
      if (other !== undefined && !grounds.replace) throw registered(cluster, other.expiresAt);
      return;
    }
    if (book.verify(cluster, grounds.evaluated) === 'revoked') throw revoked(cluster);
    if (live.length >= MAX_LIVE_CERTIFICATES)
      throw new RelayError(
        'RELAY_E_RESOURCE_EXHAUSTED',
        `cluster ${cluster} has ${live.length} valid certificates; its agent renews repeatedly, see its log`,
      );
  }
}

/** Error: the certificate is on the deny list. */
export function revoked(cluster: string): RelayError {
  return new RelayError(
    'RELAY_E_UNAUTHENTICATED',
    `the certificate of cluster ${cluster} was revoked; register the cluster again (meshctl cluster register ${cluster})`,
  );
}

function registered(cluster: string, until: string): RelayError {
  return new RelayError(
    'RELAY_E_ALREADY_REGISTERED',
    `cluster ${cluster} is registered, and its certificate is valid until ${until}; an agent with its key renews it. If the key is lost: meshctl cluster register ${cluster} --replace`,
  );
}

function unacceptable(cluster: string, why: string): RelayError {
  return new RelayError(
    'RELAY_E_UNAUTHENTICATED',
    `cluster ${cluster} gets no certificate: the signing request is not accepted: ${why}`,
  );
}
