/** The store of an API server that is still empty and does not report it. */
import type { ReadableStore } from '../storage/readable-store.ts';

/** Lists are empty, at the newest revision. */
export function emptyStore(store: ReadableStore): ReadableStore {
  return {
    revision: store.revision,
    collection: (resource) => {
      const live = store.collection(resource);
      const { history } = live;
      return {
        get: () => undefined,
        snapshot: () => [],
        snapshotAt: () => [],
        history,
        subscribe: (onEvent, onClose) => live.subscribe(onEvent, onClose),
      };
    },
  };
}
