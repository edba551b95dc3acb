/** TLS of the server: a client certificate is asked for and not required, since Register comes before there is one. */
import { Buffer } from 'node:buffer';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import { TLS_POLICY } from './tls-policy.ts';

/** PEM texts. */
export interface RelayServerTls {
  readonly key: string;
  /** The leaf and its intermediates. */
  readonly certificate: string;
  /** Who may vouch for client certificates: roots, and their intermediates where they sign agents' certificates. */
  readonly clientRoots: string;
}

/**
 * Credentials whose certificate and roots can be replaced while serving. `ServerCredentials.createSsl` either asks for no client certificate or
 * takes unverified connections down; a certificate provider asks and leaves the judgement to us. grpc-js then shows the peer's certificate only where
 * TLS verified it against the client roots.
 */
export class ReloadableTls {
  readonly credentials: ServerCredentials;
  #tls: RelayServerTls;
  readonly #roots = new Set<experimental.CaCertificateUpdateListener>();
  readonly #identities = new Set<experimental.IdentityCertificateUpdateListener>();

  constructor(tls: RelayServerTls) {
    this.#tls = tls;
    const provider: experimental.CertificateProvider = {
      addCaCertificateListener: (listener) => this.#listenToRoots(listener),
      removeCaCertificateListener: (listener) => this.#roots.delete(listener),
      addIdentityCertificateListener: (listener) => this.#listenToIdentity(listener),
      removeIdentityCertificateListener: (listener) => this.#identities.delete(listener),
    };
    this.credentials = withPolicy(experimental.createCertificateProviderServerCredentials(provider, provider, false));
  }

  /** Connections made from now on see the new certificate and are judged by the new roots; those open stay. */
  replace(tls: RelayServerTls): void {
    this.#tls = tls;
    for (const listener of this.#roots) listener(this.#rootsUpdate());
    for (const listener of this.#identities) listener(this.#identityUpdate());
  }

  // grpc-js listens before it can take an answer, so the first one comes a moment later.
  #listenToRoots(listener: experimental.CaCertificateUpdateListener): void {
    this.#roots.add(listener);
    queueMicrotask(() => listener(this.#rootsUpdate()));
  }

  #listenToIdentity(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#identities.add(listener);
    queueMicrotask(() => listener(this.#identityUpdate()));
  }

  #rootsUpdate(): experimental.CaCertificateUpdate {
    return { caCertificate: Buffer.from(this.#tls.clientRoots) };
  }

  #identityUpdate(): experimental.IdentityCertificateUpdate {
    return { certificate: Buffer.from(this.#tls.certificate), privateKey: Buffer.from(this.#tls.key) };
  }
}

/**
 * grpc-js lets only a variable of the environment choose suites, and each new certificate would bring back the runtime's. Where it makes the options of
 * a context is not part of its surface; a test that shakes hands with weak suites fails when that changes.
 */
function withPolicy(credentials: ServerCredentials): ServerCredentials {
  const inside = credentials as unknown as { calculateSecureContextOptions(): object | null };
  const calculate = inside.calculateSecureContextOptions.bind(credentials);
  inside.calculateSecureContextOptions = () => {
    const options = calculate();
    // A CA below a root may be trusted without it: one issuer, not its siblings.
    return options === null ? null : { ...options, ...TLS_POLICY, allowPartialTrustChain: true };
  };
  return credentials;
}
