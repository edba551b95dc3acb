/** Snapshot stores of the management server. */
export { MemoryStore } from './memory/memory-store.ts';
export { type ConnectRedis, type RedisAnnouncement, type RedisConnection, redisConnector } from './redis/connection.ts';
export { RedisStore, type RedisStoreOptions } from './redis/redis-store.ts';
export type { RedisEvent } from './redis/replication.ts';
export { type Corruption, STORE_KEY_BYTES } from './redis/seal.ts';
export {
  REDIS_LIMITS,
  type RedisAddress,
  type RedisConnectionSettings,
  type RedisLimits,
  type RedisTls,
  type RedisTopology,
} from './redis/settings.ts';
export {
  compareVersions,
  entryId,
  isComplete,
  type KindSnapshot,
  kindId,
  type ObjectKey,
  type ObjectKind,
  type Snapshot,
  type SnapshotDelta,
  type SnapshotDigest,
  type SnapshotVersion,
  type StoredObject,
} from './snapshot.ts';
export type {
  ChangeOrigin,
  ReplicationStats,
  SnapshotChange,
  SnapshotStore,
  StoreStats,
  TermOpening,
  WatcherStats,
  WriteResult,
} from './snapshot-store.ts';
