/** Receiver of the objects of one kind. */
import type { KubeObject } from '@meshrelay/api';
import type { ObjectKey } from '../objects/resource-path.ts';

/**
 * Receives the changes that a watch observed. The calls of one tick come together, inside `transact` if the sink has
 * one. Each object occurs at most once (a recreated one is first removed, then upserted). Calls must not throw and must
 * only write into a Source or a queue. After an error, the informer lists all objects again and calls `replaceAll`.
 */
export interface KindSink {
  /** Wraps the calls of one tick, for example in a transaction of the graph. */
  transact?(body: () => void): void;
  /** The complete set of objects; all others are deleted. */
  replaceAll(objects: readonly KubeObject[]): void;
  /** The object is new or changed. */
  upsert(object: KubeObject): void;
  /** The object is deleted. */
  remove(key: ObjectKey): void;
  /** The sink has all objects. Called after each complete list, and when the API server does not serve the kind. */
  synced(): void;
}
