/** Snapshot stores of the management server. */
export { MemoryStore } from './memory/memory-store.ts';
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
  SnapshotChange,
  SnapshotStore,
  StoreStats,
  TermOpening,
  WatcherStats,
  WriteVerdict,
} from './snapshot-store.ts';
