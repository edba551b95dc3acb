/**
 * The level-triggered loop of each controller: events name objects, and each named object is reconciled from its
 * current state.
 */
import process from 'node:process';
import { clearImmediate, setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StatusError } from '../object.ts';
import type { ControllerStore, KindRef, ObjectEvent, ObjectRef } from '../storage/controller-store.ts';
import type { Controller, OnFault } from './controller.ts';

/** A kind whose events trigger the loop. */
export interface LoopWatch {
  readonly kind: KindRef;
  /** The objects to reconcile after an event. */
  refs(event: ObjectEvent): Iterable<ObjectRef>;
}

/** Options of a loop. */
export interface Loop {
  /** For messages. */
  readonly name: string;
  readonly store: ControllerStore;
  readonly watches: readonly LoopWatch[];
  /** Reconciles everything that depends on one object. Called again whenever an event names it. */
  reconcile(ref: ObjectRef): void;
  readonly onFault?: OnFault | undefined;
}

/** Starts a loop: events of one turn of the event loop are merged, and their objects are handled in name order. */
export function startLoop({ name, store, watches, reconcile, onFault = warn }: Loop): Controller {
  const queue = new Map<string, ObjectRef>();
  let scheduled: ReturnType<typeof setImmediate> | undefined;

  const drain = (): void => {
    scheduled = undefined;
    const batch = [...queue].sort(([left], [right]) => (left < right ? -1 : 1));
    queue.clear();
    for (const [key, ref] of batch) {
      try {
        reconcile(ref);
      } catch (error) {
        if (!isOvertaken(error)) onFault(error, `${name} ${key}`);
      }
    }
  };
  const enqueue = (ref: ObjectRef): void => {
    queue.set(`${ref.namespace ?? ''}/${ref.name}`, ref);
    scheduled ??= setImmediate(drain);
  };
  const watching = watches.map(({ kind, refs }) =>
    store.watch(kind, (event) => {
      for (const ref of refs(event)) enqueue(ref);
    }),
  );

  return {
    get busy() {
      return scheduled !== undefined;
    },
    async idle() {
      do await nextTurn();
      while (scheduled !== undefined);
    },
    [Symbol.dispose]() {
      for (const watch of watching) watch[Symbol.dispose]();
      queue.clear();
      if (scheduled !== undefined) clearImmediate(scheduled);
      scheduled = undefined;
    },
  };
}

/**
 * The state changed during the run: the object or its namespace is deleted or terminating, and an event for that
 * follows.
 */
function isOvertaken(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const { code, details } = error.status;
  return (
    code === 404 || code === 409 || (details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
  );
}

function warn(error: unknown, what: string): void {
  process.emitWarning(
    `kube-sim controller failed on ${what}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** The reference to an object itself. */
export function refOf({ object }: Pick<ObjectEvent, 'object'>): ObjectRef {
  const { name, namespace } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
