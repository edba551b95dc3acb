/** The store that the configuration names. */
import { uniqueIdentity } from '@meshrelay/agent-leader';
import type { Secrets } from '@meshrelay/kube';
import { MemoryStore, type RedisEvent, RedisStore, redisConnector, type SnapshotStore } from '@meshrelay/store';
import type { CounterMetric, Logger } from '@meshrelay/telemetry';
import type { StoreConfig } from '../config/store-config.ts';
import { redisSettings } from './redis-settings.ts';
import { loadStoreKeys } from './store-keys.ts';

export interface OpenStoreOptions {
  readonly config: StoreConfig;
  readonly secrets: Secrets;
  readonly replica: string;
  /** Counts values found damaged. */
  readonly damaged: CounterMetric<'what' | 'damage'>;
  readonly logger: Logger;
}

/** @throws KubeError, or Error that names the Secret of the store's keys */
export async function openStore(options: OpenStoreOptions): Promise<SnapshotStore> {
  const { config, secrets, replica } = options;
  const { redis } = config;
  if (config.type === 'memory' || redis === undefined) return new MemoryStore();
  return RedisStore.start({
    connect: async () => redisConnector(await redisSettings(redis, secrets))(),
    prefix: redis.prefix,
    keys: await loadStoreKeys(secrets),
    replica: uniqueIdentity(replica),
    patience: redis.startTimeout,
    onEvent: (event) => tell(event, options),
  });
}

function tell(event: RedisEvent, { damaged, logger }: OpenStoreOptions): void {
  switch (event.type) {
    case 'connected':
      logger.info('Redis is reached', { after: Math.round(event.afterMs) });
      break;
    case 'disconnected':
      logger.warn('Redis is not reached: clusters connected to other replicas stay as they are known', {
        error: event.error,
      });
      break;
    case 'damaged': {
      const { cluster, what, damage } = event;
      damaged.inc({ what, damage });
      logger.error('a value in Redis is of no use and counts as unknown', { cluster, what, damage });
      break;
    }
    case 'rewritten':
      logger.info('a cluster was written to Redis anew', { cluster: event.cluster });
      break;
    default:
      event satisfies never;
  }
}
