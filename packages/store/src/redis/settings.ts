/** Connection settings and limits of Redis. */

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** TLS to Redis; certificates are PEM. */
export interface RedisTls {
  /** Trusted roots; the system's when omitted. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Name in the server's certificate, if it is not the dialled host. */
  readonly servername?: string | undefined;
}

/** Redis topology: one server, the master that sentinels name, or some nodes of a cluster. */
export type RedisTopology =
  | { readonly mode: 'standalone'; readonly address: RedisAddress }
  | {
      readonly mode: 'sentinel';
      readonly sentinels: readonly RedisAddress[];
      /** Name of the master group. */
      readonly master: string;
      /** Credentials of the sentinels themselves, if they require any. */
      readonly sentinelUsername?: string | undefined;
      readonly sentinelPassword?: string | undefined;
      /** Whether the sentinels use TLS, too. */
      readonly sentinelTls?: boolean | undefined;
    }
  | { readonly mode: 'cluster'; readonly nodes: readonly RedisAddress[] };

/** Settings of a connection. */
export interface RedisConnectionSettings {
  readonly topology: RedisTopology;
  /** ACL user; Redis' default user when omitted. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Number of the database; clusters only have 0. */
  readonly database?: number | undefined;
  readonly tls?: RedisTls | undefined;
  /** Milliseconds to connect. */
  readonly connectTimeout: number;
  /** Milliseconds for an answer. */
  readonly commandTimeout: number;
}

/** Limits on reads from and data in Redis. */
export interface RedisLimits {
  /** Bytes of a stored value. */
  readonly value: number;
  /** Bytes of an inflated value. */
  readonly inflated: number;
  /** Bytes of the objects in one step of the stream; a larger step only signals that there is one. */
  readonly step: number;
  /** Approximate number of steps in the stream. */
  readonly steps: number;
  /** Bytes of one write to Redis; larger states take several writes. */
  readonly write: number;
  /** Maximum number of clusters with stored data. */
  readonly clusters: number;
}

const MIB = 1024 * 1024;

export const REDIS_LIMITS: RedisLimits = {
  value: 4 * MIB,
  inflated: 16 * MIB,
  step: 64 * 1024,
  steps: 1024,
  write: MIB,
  clusters: 10_000,
};
