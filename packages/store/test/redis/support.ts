/** Stores on a real Redis, for the tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@meshrelay/testing';
import type { RedisServer } from '@meshrelay/testing/redis';
import {
  type ConnectRedis,
  type RedisConnection,
  type RedisConnectionSettings,
  type RedisEvent,
  RedisStore,
  type RedisStoreOptions,
  redisConnector,
} from '../../src/mod.ts';

export const KEY: Uint8Array = randomBytes(32);

/** A store with its reported events. */
export interface TestStore extends AsyncDisposable {
  readonly store: RedisStore;
  readonly events: RedisEvent[];
  readonly replica: string;
}

export function settings(redis: Pick<RedisServer, 'port'>): RedisConnectionSettings {
  return {
    topology: { mode: 'standalone', address: { host: '127.0.0.1', port: redis.port } },
    connectTimeout: 1_000,
    commandTimeout: 1_000,
  };
}

/** A store that appears to be in its own process. */
export async function storeOn(
  redis: Pick<RedisServer, 'port'>,
  options: Partial<RedisStoreOptions> = {},
): Promise<TestStore> {
  const events: RedisEvent[] = [];
  const replica = randomUUID();
  const store = await RedisStore.start({
    connect: redisConnector(settings(redis)),
    prefix: 'test',
    keys: [KEY],
    replica,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { store, events, replica, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Whether the store's Redis works. */
export const isConnected = ({ store }: TestStore): boolean => store.stats().replication?.connected === true;
export const untilConnected = (one: TestStore): Promise<unknown> =>
  eventually('Redis is reached', () => isConnected(one), { seen: () => one.events });
export const untilDown = (one: TestStore): Promise<unknown> =>
  eventually('the loss is noticed', () => !isConnected(one), { seen: () => one.events });

/** A proxy to Redis that a test can cut. */
export interface CuttableWay {
  readonly connect: ConnectRedis;
  /** Whether new connections are rejected. */
  cut: boolean;
  /** Cuts it, and closes the present connections. */
  end(): void;
}

export function cuttable(redis: Pick<RedisServer, 'port'>): CuttableWay {
  const open = new Set<RedisConnection>();
  const inner = redisConnector(settings(redis));
  const way = {
    cut: false,
    async connect(): Promise<RedisConnection> {
      if (way.cut) throw new Error('cut');
      const connection = await inner();
      open.add(connection);
      return connection;
    },
    end() {
      way.cut = true;
      for (const connection of open) connection.close();
      open.clear();
    },
  };
  return way;
}
