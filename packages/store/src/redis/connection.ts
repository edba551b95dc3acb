/** A connection to Redis that is closed at its first failure: the caller decides when to open the next one. */
import { Cluster, Redis } from 'ioredis';
import type { RedisConnectionSettings, RedisTls } from './settings.ts';

/** An argument of a command. */
export type RedisAnnouncement = string | number | Uint8Array;

/** An open connection. A call that fails or times out makes it unusable. */
export interface RedisConnection {
  /**
   * Sends one command.
   * @returns Redis' answer, with bytes as Buffer
   * @throws Error with Redis' message, or after `timeoutMs` milliseconds without an answer
   */
  call(command: string, words: readonly RedisAnnouncement[], timeoutMs?: number): Promise<unknown>;
  /** Closes it at once. */
  close(): void;
}

/** Opens a connection. @throws Error if that fails or times out */
export type ConnectRedis = () => Promise<RedisConnection>;

/**
 * Maximum bytes of one answer, far above every legitimate one: a larger answer comes from an attacker, and ends the
 * connection before it fills the memory.
 */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Uses ioredis without its queues and retries, which would keep commands that no caller waits for. */
export function redisConnector(settings: RedisConnectionSettings): ConnectRedis {
  return async () => {
    const client = clientFor(settings);
    // This event has the cause; promises mostly report a closed connection. Without a listener the error would be
    // thrown.
    let reason: Error | undefined;
    client.on('error', (error: Error) => {
      reason ??= error;
    });
    try {
      await within(
        settings.connectTimeout,
        `Redis did not accept the connection within ${settings.connectTimeout} ms`,
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
        // With TLS, nodes must be dialled by the names in their certificates.
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
  work.catch(() => undefined); // when it arrives late, no caller waits for it
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
