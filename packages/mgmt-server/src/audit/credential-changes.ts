/**
 * Changes that users made to credentials, found by comparing Secrets before and after: tokens, revocations, the
 * rotation of the relay's CA.
 */
import {
  type CertificateRegistry,
  phaseOf,
  readCertificateBook,
  readTokenBook,
  type TokenRecord,
  type TokenRegistry,
} from '@meshrelay/pki';
import type { AuditEntry } from './audit.ts';

type SecretData = Readonly<Record<string, string>>;

/** The audited part of the Secrets, as JSON. It identifies tokens by the first characters of their hashes. */
export interface CredentialState {
  readonly tokens: Readonly<Record<string, 'open' | 'revoked'>>;
  /** Time of revocation by cluster, for clusters that are still revoked. RFC 3339. */
  readonly revoked: Readonly<Record<string, string>>;
  /** Phase of the current rotation. */
  readonly rotation?: string | undefined;
}

/** An audit line without its requester. */
export type CredentialChange = Pick<AuditEntry, 'action' | 'cluster' | 'tokenId' | 'reason'>;

/** Characters of a hash that identify a token, as in meshctl. */
const ID_LENGTH = 12;
const idOf = ({ hash }: TokenRecord): string => hash.slice(0, ID_LENGTH);

/** The Secrets' data; undefined for a Secret that does not exist. */
export interface CredentialSecrets {
  readonly tokens: SecretData | undefined;
  readonly certificates: SecretData | undefined;
  readonly rotation: SecretData | undefined;
}

/** Reads the Secrets and lists what has changed since `before`. @throws Error naming the Secret that cannot be read */
export class Credentials {
  readonly #tokens: TokenRegistry;
  readonly #certificates: CertificateRegistry;
  readonly #rotation: string | undefined;

  constructor({ tokens, certificates, rotation }: CredentialSecrets) {
    this.#tokens = readTokenBook(tokens ?? {});
    this.#certificates = readCertificateBook(certificates);
    this.#rotation = rotation === undefined ? undefined : phaseOf(rotation);
  }

  get state(): CredentialState {
    const tokens = this.#tokens.records.map((record) => [idOf(record), stateOf(record)] as const);
    const revoked = [...this.#certificates.clusters].flatMap(([cluster, { clusterRevoked, revokedBefore = '' }]) =>
      clusterRevoked === true ? [[cluster, revokedBefore] as const] : [],
    );
    return { tokens: Object.fromEntries(tokens), revoked: Object.fromEntries(revoked), rotation: this.#rotation };
  }

  /** Token changes, each once: created, or revoked while still valid. */
  tokensSince({ tokens: before }: CredentialState): CredentialChange[] {
    return this.#tokens.records.flatMap((record) => {
      const tokenId = idOf(record);
      const change = (action: 'token-create' | 'token-revoke', reason?: string): CredentialChange[] => [
        { action, cluster: record.cluster, tokenId, ...(reason === undefined ? {} : { reason }) },
      ];
      const made = before[tokenId] === undefined ? change('token-create', kindOf(record)) : [];
      const ended = before[tokenId] !== 'revoked' && stateOf(record) === 'revoked' && record.usedAt === undefined;
      return [...made, ...(ended ? change('token-revoke') : [])];
    });
  }

  /** Cluster changes: revoked and readmitted. The registration that ends a revocation audits it itself. */
  certificatesSince({ revoked: before }: CredentialState): CredentialChange[] {
    const now = this.state.revoked;
    const revoked = Object.keys(now).filter((cluster) => now[cluster] !== before[cluster]);
    const readmitted = Object.keys(before).filter(
      (cluster) => now[cluster] === undefined && this.#certificates.of(cluster).revokedBefore === before[cluster],
    );
    return [
      ...revoked.map((cluster) => ({ action: 'revoke', cluster }) as const),
      ...readmitted.map((cluster) => ({ action: 'readmit', cluster }) as const),
    ];
  }

  /** Changes of the relay's CA. */
  rotationSince({ rotation: before }: CredentialState): CredentialChange[] {
    if (before === this.#rotation) return [];
    const reason =
      this.#rotation === undefined
        ? before === 'drop'
          ? 'the old root is removed'
          : 'undone: the previous root stays'
        : `the rotation of the relay CA is in phase ${this.#rotation}`;
    return [{ action: 'rotate', cluster: '', reason }];
  }
}

function stateOf({ revokedAt }: TokenRecord): 'open' | 'revoked' {
  return revokedAt === undefined ? 'open' : 'revoked';
}

function kindOf({ longLived, replace, expiresAt }: TokenRecord): string {
  const kind = longLived === true ? 'an identity' : replace === true ? 'registers once, replacing' : 'registers once';
  return `${kind}, until ${expiresAt}`;
}
