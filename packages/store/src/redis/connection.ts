/** A connection to Redis that is thrown away at its first failure: whoever needs another opens one, at his own pace. */
import { Cluster, Redis } from 'ioredis';
import type { RedisConnectionSettings, RedisTls } from './settings.ts';

/** A word of a command. */
export type RedisAnnouncement = string | number | Uint8Array;

/** An open connection. A call that fails, or is not answered in time, leaves it unusable. */
export interface RedisConnection {
  /**
   * Sends one command.
   * @returns what Redis answered: bytes as Buffer
   * @throws Error with Redis's words, or when no answer comes within `timeoutMs` milliseconds
   */
  call(command: string, words: readonly RedisAnnouncement[], timeoutMs?: number): Promise<unknown>;
  /** Ends it at once. */
  close(): void;
}

/** Opens a connection. @throws Error when that fails or takes too long */
export type ConnectRedis = () => Promise<RedisConnection>;

/** Bytes of one answer, far above every answer to us: more is somebody's doing, and ends the connection before it fills the memory. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** By ioredis, without any of its queues and retries: those would keep commands nobody waits for any more. */
export function redisConnector(settings: RedisConnectionSettings): ConnectRedis {
  return async () => {
    const client = clientFor(settings);
    // What went wrong is told here; promises mostly say that the connection is closed. Unheard, it would be thrown.
    let reason: Error | undefined;
    client.on('error', (error: Error) => {
      reason ??= error;
    });
    try {
      await within(
        settings.connectTimeout,
        `Redis did not let us in within ${settings.connectTimeout} ms`,
        client.connect(),
      );
      return new IoredisConnection(client, settings.commandTimeout);
    } catch (error) {
      client.disconnect();
      throw reason === undefined ? error : new Error(reason.message, { cause: error });
    }
  };
}

class IoredisConnection implements RedisConnection {
  readonly #client: Redis | Cluster;
  readonly #timeoutMs: number;
  #received = 0;

  constructor(client: Redis | Cluster, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    if (client instanceof Redis) client.stream?.on('data', (bytes: Uint8Array) => this.#count(bytes.byteLength));
  }

  async call(
    command: string,
    words: readonly RedisAnnouncement[],
    timeoutMs: number = this.#timeoutMs,
  ): Promise<unknown> {
    this.#received = 0;
    const answer = this.#client.callBuffer(command, ...(words as (string | number | Buffer)[]));
    return within(timeoutMs, `Redis did not answer ${command} within ${timeoutMs} ms`, answer);
  }

  close(): void {
    this.#client.disconnect();
  }

  #count(bytes: number): void {
    this.#received += bytes;
    if (this.#received > MAX_ANSWER) this.#client.disconnect();
  }
}

function clientFor(settings: RedisConnectionSettings): Redis | Cluster {
  const { topology, username, password, database, tls, connectTimeout } = settings;
  const common = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
    protocol: 2 as const,
    connectTimeout,
    connectionName: 'meshrelay',
    disableClientInfo: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
  };
  const alone = {
    ...common,
    db: database ?? 0,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  };
  switch (topology.mode) {
    case 'standalone':
      return new Redis({ ...alone, ...topology.address });
    case 'sentinel':
      return new Redis({
        ...alone,
        name: topology.master,
        sentinels: [...topology.sentinels],
        sentinelRetryStrategy: () => null,
        sentinelCommandTimeout: connectTimeout,
        ...(topology.sentinelUsername === undefined ? {} : { sentinelUsername: topology.sentinelUsername }),
        ...(topology.sentinelPassword === undefined ? {} : { sentinelPassword: topology.sentinelPassword }),
        ...(topology.sentinelTls === true && tls !== undefined
          ? { enableTLSForSentinelMode: true, sentinelTLS: tlsOptions(tls) }
          : {}),
      });
    case 'cluster':
      return new Cluster([...topology.nodes], {
        lazyConnect: true,
        enableOfflineQueue: false,
        enableReadyCheck: true,
        clusterRetryStrategy: () => null,
        redisOptions: common,
        // Behind TLS, nodes must be dialled by the names in their certificates.
        ...(tls === undefined ? {} : { dnsLookup: (address, found) => found(null, address) }),
      });
    default:
      return topology satisfies never;
  }
}

function tlsOptions({ ca, cert, key, servername }: RedisTls): object {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
  };
}

async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(what)), milliseconds);
  work.catch(() => undefined); // when it comes late, nobody waits for it any more
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
