/** Configuration of the snapshot store. */
import * as z from 'zod';

/** TLS to Redis. The files are read again for each connection. */
export interface RedisTlsConfig {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Name in the server's certificate, if it is not the host. */
  readonly servername?: string | undefined;
}

/** Connection to Redis. */
export interface RedisConfig {
  readonly mode: 'standalone' | 'sentinel' | 'cluster';
  /** `HOST:PORT` of the server, of the sentinels, or of some of the cluster's nodes. */
  readonly addresses: readonly string[];
  /** Name of the master group that sentinels watch. */
  readonly master?: string | undefined;
  readonly database: number;
  readonly prefix: string;
  readonly username?: string | undefined;
  readonly passwordFile?: string | undefined;
  readonly sentinelUsername?: string | undefined;
  readonly sentinelPasswordFile?: string | undefined;
  /**
   * Secret of the management namespace with the values that files do not give: username, password, sentinel-password,
   * ca.crt, tls.crt, tls.key.
   */
  readonly secretName?: string | undefined;
  readonly tls?: RedisTlsConfig | undefined;
  /** Milliseconds. */
  readonly connectTimeout: number;
  readonly commandTimeout: number;
  /** Milliseconds that a start waits for Redis. */
  readonly startTimeout: number;
}

/** `memory` for a single replica; replicas that share state use one Redis. */
export interface StoreConfig {
  readonly type: 'memory' | 'redis';
  readonly redis?: RedisConfig | undefined;
}

const text = z.string().min(1);
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).max(600_000).default(fallback);
const hostPort = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+):\d{1,5}$/, 'expected HOST:PORT, such as redis:6379')
  .refine((value) => Number(value.slice(value.lastIndexOf(':') + 1)) <= 65_535, 'expected a port up to 65535');

const redis = z
  .strictObject({
    mode: z.enum(['standalone', 'sentinel', 'cluster']).default('standalone'),
    addresses: z.array(hostPort).min(1, 'expected at least one HOST:PORT'),
    master: text.optional(),
    database: z.coerce.number().int().min(0).max(65_535).default(0),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,100}$/, 'expected letters, digits, ".", "-" and "_"')
      .default('meshrelay'),
    username: text.optional(),
    passwordFile: text.optional(),
    sentinelUsername: text.optional(),
    sentinelPasswordFile: text.optional(),
    secretName: text.optional(),
    tls: z
      .strictObject({
        caFile: text.optional(),
        certFile: text.optional(),
        keyFile: text.optional(),
        servername: text.optional(),
      })
      .optional(),
    connectTimeout: milliseconds(2_000),
    commandTimeout: milliseconds(1_000),
    startTimeout: milliseconds(5_000),
  })
  .refine(({ mode, master }) => (mode === 'sentinel') === (master !== undefined), {
    error: 'expected master, the name of the group, with mode sentinel and only there',
  })
  .refine(({ mode, addresses }) => mode !== 'standalone' || addresses.length === 1, {
    error: 'expected one address with mode standalone',
  })
  .refine(({ mode, database }) => mode !== 'cluster' || database === 0, {
    error: 'expected database 0 with mode cluster, which supports no other',
  });

export const storeConfig: z.ZodType<StoreConfig> = z
  .strictObject({ type: z.enum(['memory', 'redis']).default('memory'), redis: redis.optional() })
  .refine(({ type, redis: settings }) => type !== 'redis' || settings !== undefined, {
    error: 'expected redis with its addresses, since type is redis',
  });
