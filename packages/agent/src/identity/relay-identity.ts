/** Identity of this cluster's agent towards the server, for any way of authentication. */
import type { ClientCertificate } from './client-certificate.ts';

/** Credentials of a connection. */
export type RelayCredential = ClientCertificate | TokenCredential;

/** A token that is the identity itself. */
export interface TokenCredential {
  readonly token: string;
  /** PEM of the roots that verify the server. */
  readonly roots: string;
}

/** Maintained as long as this replica leads. */
export interface RelayIdentity {
  /** Why no credential is available; undefined if one is. */
  readonly problem: string | undefined;
  /** Expiry of the certificate in use; undefined if none exists or none is needed. */
  readonly expiry: Date | undefined;
  /** Aborts when another credential replaces the one in use. */
  readonly replaced: AbortSignal;
  /** Resolves with a currently valid credential, however long that takes. @throws the signal's reason when it aborts */
  obtain(signal: AbortSignal): Promise<RelayCredential>;
  /** Called when the server rejects a credential that looks valid here. */
  refused(credential: RelayCredential): void;
  /**
   * Renews the certificate now; undefined if the identity is not a certificate. @throws Error if renewal is not
   * possible now
   */
  readonly renew: (() => Promise<void>) | undefined;
  /** Starts maintenance; disposing of the result stops it. */
  start(): AsyncDisposable;
}
