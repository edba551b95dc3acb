/** Receiver of the objects of one kind. */
import type { KubeObject } from '@meshrelay/api';
import type { ObjectKey } from '../objects/resource-path.ts';

/**
 * Receives the changes that a watch observed. The calls of one tick come together, inside `transact` if the sink has
 * one. Each object occurs at most once (a recreated one is first removed, then upserted). Calls must not throw and must
 * only write into a Source or a queue. After an error everything is listed again and passed by `replaceAll`.
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
  /** The passed objects are complete. Called after each complete list, and when the kind is proven absent. */
  synced(): void;
}
