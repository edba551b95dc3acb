/** Stores on a real Redis, for the tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { RedisServer } from '@meshrelay/testing/redis';
import {
  type RedisConnectionSettings,
  type RedisEvent,
  RedisStore,
  type RedisStoreOptions,
  redisConnector,
} from '../../src/mod.ts';

export const KEY: Uint8Array = randomBytes(32);

/** A store with the events it has told. */
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

/** A store of its own process, as far as anybody can tell. */
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
