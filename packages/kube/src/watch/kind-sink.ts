/** Where the objects of one kind go. */
import type { KubeObject } from '@meshrelay/api';
import type { ObjectKey } from '../objects/resource-path.ts';

/**
 * Takes what a watch has seen. The calls of one tick come together, inside `transact` where there is one, each object at
 * most once (a deleted and recreated one first removed, then upserted). Calls must not throw and do no work of their own:
 * they write into a Source or a queue. After a throw everything is listed and given anew by `replaceAll`.
 */
export interface KindSink {
  /** Wraps the calls of one tick, such as in a transaction of the graph. */
  transact?(body: () => void): void;
  /** These are all objects there are; what is not among them is gone. */
  replaceAll(objects: readonly KubeObject[]): void;
  /** The object is new or has changed. */
  upsert(object: KubeObject): void;
  /** The object is gone. */
  remove(key: ObjectKey): void;
  /** What was given is complete as of now. Called after each complete list, and when the kind is proven absent. */
  synced(): void;
}
