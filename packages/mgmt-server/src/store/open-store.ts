/** Opens the configured store. */
import { uniqueIdentity } from '@meshrelay/agent-leader';
import { type KubeConnection, Secrets } from '@meshrelay/kube';
import { MemoryStore, type RedisEvent, RedisStore, redisConnector, type SnapshotStore } from '@meshrelay/store';
import type { CounterMetric, GaugeMetric, Logger } from '@meshrelay/telemetry';
import { endOf } from '../certificates/end-of.ts';
import type { RedisConfig, StoreConfig } from '../config/store-config.ts';
import { redisSettings } from './redis-settings.ts';
import { followStoreKeys, loadStoreKeys } from './store-keys.ts';

export interface OpenStoreOptions {
  readonly config: StoreConfig;
  readonly connection: KubeConnection;
  /** The management namespace, which has the Secrets. */
  readonly namespace: string;
  readonly replica: string;
  /** Counts corrupt values. */
  readonly corrupt: CounterMetric<'what' | 'problem'>;
  /** Gauge for the expiry of this replica's client certificate for Redis. */
  readonly expiry: GaugeMetric<'certificate'>;
  readonly logger: Logger;
}

/** @throws KubeError, or Error that names the Secret of the store's keys */
export async function openStore(options: OpenStoreOptions): Promise<OpenStore> {
  const { redis } = options.config;
  await using cleanup = new AsyncDisposableStack();
  const isRedis = options.config.type === 'redis' && redis !== undefined;
  const store = isRedis ? await openRedis(redis, options, cleanup) : cleanup.use(new MemoryStore());
  const open = cleanup.move();
  return { store, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** A store with its background work. */
export interface OpenStore extends AsyncDisposable {
  readonly store: SnapshotStore;
}

async function openRedis(
  redis: RedisConfig,
  options: OpenStoreOptions,
  cleanup: AsyncDisposableStack,
): Promise<SnapshotStore> {
  const { connection, namespace, replica } = options;
  const secrets = new Secrets(connection, namespace);
  const keys = await loadStoreKeys(secrets);
  const store = await RedisStore.start({
    connect: async () => {
      const settings = await redisSettings(redis, secrets);
      const certificate = settings.tls?.cert;
      if (certificate !== undefined)
        options.expiry.set(endOf(certificate).getTime() / 1000, { certificate: 'redis-client' });
      return redisConnector(settings)();
    },
    prefix: redis.prefix,
    keys,
    replica: uniqueIdentity(replica),
    timeoutMs: redis.startTimeout,
    onEvent: (event) => announce(event, options),
  });
  cleanup.use(store);
  cleanup.use(followStoreKeys({ ...options, store, keys }));
  return store;
}

function announce(event: RedisEvent, { corrupt, logger }: OpenStoreOptions): void {
  switch (event.type) {
    case 'connected':
      logger.info('Redis is reached', { after: Math.round(event.afterMs) });
      break;
    case 'disconnected':
      logger.warn('Redis is unreachable; the state of clusters connected to other replicas is not updated', {
        error: event.error,
      });
      break;
    case 'damaged': {
      const { cluster, what, corruption } = event;
      corrupt.inc({ what, problem: corruption });
      logger.error('a value in Redis is corrupt and counts as unknown', { cluster, what, problem: corruption });
      break;
    }
    case 'rewritten':
      logger.info('a cluster was written to Redis again', { cluster: event.cluster });
      break;
    default:
      event satisfies never;
  }
}
