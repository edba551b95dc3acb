/** The store of an API server that lags behind: a past revision, and watches that stop until it catches up. */
import type { StoredEvent } from '../storage/event-history.ts';
import type { ReadableCollection, ReadableStore } from '../storage/readable-store.ts';

/**
 * `caughtUp` resolves when the server no longer lags behind. Data that is no longer stored at the revision is shown in
 * its current state.
 */
export function staleStore(store: ReadableStore, revision: number, caughtUp: Promise<void>): ReadableStore {
  return {
    revision: Math.min(revision, store.revision),
    collection: (resource) => staleCollection(store.collection(resource), revision, caughtUp),
  };
}

function staleCollection(live: ReadableCollection, revision: number, caughtUp: Promise<void>): ReadableCollection {
  const snapshot: ReadableCollection['snapshot'] = (namespace) =>
    live.snapshotAt(revision, namespace) ?? live.snapshot(namespace);
  return {
    get: (key) => snapshot().find(([each]) => each === key)?.[1],
    snapshot,
    snapshotAt: (at, namespace) => live.snapshotAt(Math.min(at, revision), namespace),
    history: {
      get compactedThrough() {
        return live.history.compactedThrough;
      },
      after: (from) => live.history.after(from)?.filter((event) => event.revision <= revision),
    },
    subscribe: (onEvent, onClose) => subscribeLate(live, { revision, caughtUp, onEvent, onClose }),
  };
}

interface Late {
  readonly revision: number;
  readonly caughtUp: Promise<void>;
  readonly onEvent: (event: StoredEvent) => void;
  readonly onClose: (() => void) | undefined;
}

/** Sends the changes after the revision once the server has caught up, then new changes. */
function subscribeLate(live: ReadableCollection, { revision, caughtUp, onEvent, onClose }: Late): Disposable {
  let held: StoredEvent[] | undefined = [...(live.history.after(revision) ?? [])];
  let ended = false;
  const subscription = live.subscribe(
    (event) => (held === undefined ? onEvent(event) : void held.push(event)),
    onClose,
  );
  void caughtUp.then(() => {
    const missed = held ?? [];
    held = undefined;
    for (const event of missed) if (!ended) onEvent(event);
  });
  return {
    [Symbol.dispose]: () => {
      ended = true;
      subscription[Symbol.dispose]();
    },
  };
}
