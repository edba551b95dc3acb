/** The store for reads, which may differ from the one that is written to. */
import type { ResourceDefinition } from '../resources/definition.ts';
import type { EventHistory } from './event-history.ts';
import type { ObjectCollection } from './object-collection.ts';

/** The objects of one resource, for reading and watching. */
export interface ReadableCollection extends Pick<ObjectCollection, 'get' | 'snapshot' | 'snapshotAt' | 'subscribe'> {
  readonly history: Pick<EventHistory, 'after' | 'compactedThrough'>;
}

/** All objects, for reading and watching. */
export interface ReadableStore {
  /** The newest visible revision. */
  readonly revision: number;
  collection(resource: Pick<ResourceDefinition, 'group' | 'plural'>): ReadableCollection;
}
