/** How a Redis is reached, and what is kept in it. */

/** Host and port of a server. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** TLS to Redis; certificates are PEM. */
export interface RedisTls {
  /** Roots that are trusted; the system's when omitted. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the server's certificate, where it is not the host that is dialled. */
  readonly servername?: string | undefined;
}

/** Where Redis is: one server, the master that sentinels name, or a cluster by some of its nodes. */
export type RedisTopology =
  | { readonly mode: 'standalone'; readonly address: RedisAddress }
  | {
      readonly mode: 'sentinel';
      readonly sentinels: readonly RedisAddress[];
      /** The name of the master group. */
      readonly master: string;
      /** Of the sentinels themselves, where they ask for it. */
      readonly sentinelUsername?: string | undefined;
      readonly sentinelPassword?: string | undefined;
      /** Whether the sentinels speak TLS, too. */
      readonly sentinelTls?: boolean | undefined;
    }
  | { readonly mode: 'cluster'; readonly nodes: readonly RedisAddress[] };

/** What a connection needs. */
export interface RedisConnectionSettings {
  readonly topology: RedisTopology;
  /** User of an ACL; Redis's default user when omitted. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Number of the database; clusters have 0 only. */
  readonly database?: number | undefined;
  readonly tls?: RedisTls | undefined;
  /** Milliseconds to connect. */
  readonly connectTimeout: number;
  /** Milliseconds for an answer. */
  readonly commandTimeout: number;
}

/** How much is taken from Redis, and kept there. */
export interface RedisLimits {
  /** Bytes of a value as it is stored. */
  readonly value: number;
  /** Bytes of a value once it is inflated. */
  readonly inflated: number;
  /** Bytes of the objects in one step of the stream; a larger step only says that there is one. */
  readonly step: number;
  /** Steps that the stream keeps, about. */
  readonly steps: number;
  /** Bytes of one write to Redis; more is written in several. */
  readonly write: number;
  /** Clusters of which anything is kept. */
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
