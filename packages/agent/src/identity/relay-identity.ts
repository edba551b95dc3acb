/** Who this cluster's agent is to the server, however it proves it. */
import type { ClientCertificate } from './client-certificate.ts';

/** What a connection is made with. */
export type RelayCredential = ClientCertificate | TokenCredential;

/** A token that is the identity itself. */
export interface TokenCredential {
  readonly token: string;
  /** PEM of the roots that vouch for the server. */
  readonly roots: string;
}

/** Looked after for as long as this replica leads. */
export interface RelayIdentity {
  /** Why there is no credential; undefined when there is one. */
  readonly problem: string | undefined;
  /** End of the certificate in use; undefined where there is none, or none is needed. */
  readonly expiry: Date | undefined;
  /** Aborts when the credential in use is replaced by another. */
  readonly replaced: AbortSignal;
  /** A credential that is good now, however long that takes. @throws the signal's reason when it aborts */
  obtain(signal: AbortSignal): Promise<RelayCredential>;
  /** The server refuses a credential that looks good from here. */
  refused(credential: RelayCredential): void;
  /** Gets another certificate now; undefined where the identity is none. @throws Error where that cannot be done now */
  readonly renew: (() => Promise<void>) | undefined;
  /** Begins to look after it; disposing of what it gives ends that. */
  start(): AsyncDisposable;
}
