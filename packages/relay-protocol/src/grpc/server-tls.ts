/** TLS of the server: a client certificate is requested and not required, since Register precedes the certificate. */
import { Buffer } from 'node:buffer';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import { TLS_POLICY } from './tls-policy.ts';

/** PEM texts. */
export interface RelayServerTls {
  readonly key: string;
  /** The leaf and its intermediates. */
  readonly certificate: string;
  /** CAs of client certificates: roots, and intermediates that sign agents' certificates. */
  readonly clientRoots: string;
}

/**
 * Credentials whose certificate and roots can be replaced while serving. `ServerCredentials.createSsl` either requests
 * no client certificate or closes unverified connections. A certificate provider requests it and leaves the decision to
 * Meshrelay's code. grpc-js then shows the peer's certificate only if TLS verified it against the client roots.
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

  /** New connections get the new certificate and are verified against the new roots; open connections stay. */
  replace(tls: RelayServerTls): void {
    this.#tls = tls;
    for (const listener of this.#roots) listener(this.#rootsUpdate());
    for (const listener of this.#identities) listener(this.#identityUpdate());
  }

  // grpc-js registers the listener before it can take a value, so the first value comes a moment later.
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
 * grpc-js selects cipher suites only by an environment variable, and each new certificate would restore the runtime's.
 * The method that builds the context options is not part of its API. A test that connects with weak suites fails when
 * that changes.
 */
function withPolicy(credentials: ServerCredentials): ServerCredentials {
  const inside = credentials as unknown as { calculateSecureContextOptions(): object | null };
  const calculate = inside.calculateSecureContextOptions.bind(credentials);
  inside.calculateSecureContextOptions = () => {
    const options = calculate();
    // A CA below a root may be trusted without the root: one issuer, not its siblings.
    return options === null ? null : { ...options, ...TLS_POLICY, allowPartialTrustChain: true };
  };
  return credentials;
}
