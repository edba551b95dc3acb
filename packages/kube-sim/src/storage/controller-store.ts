/** What a built-in controller may do with the objects of the simulator: the same verbs a client has, without HTTP. */
import type { KubeObject } from '../object.ts';

/** Names a served kind; `group` is `''` for the core group. */
export interface KindRef {
  readonly group: string;
  readonly kind: string;
}

/** Names one object. `namespace` is left out for cluster-scoped kinds. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** A change of one object as a controller sees it; `previous` is the object before, absent for `ADDED`. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/**
 * The store as controllers see it. Objects handed out are shared and must not be mutated; reads see every finished write.
 * Writes are synchronous and go through the same admission, validation and bookkeeping as a client's, and throw
 * {@link StatusError} (404, 409, 422, ...) as the API would answer.
 */
export interface ControllerStore {
  /** Every object of a kind, in (namespace, name) order, of one namespace when given. Unknown kinds give an empty list. */
  list(kind: KindRef, namespace?: string): readonly KubeObject[];
  /** The object, or undefined. */
  get(kind: KindRef, ref: ObjectRef): KubeObject | undefined;
  /** Creates an object (`metadata.generateName` is honoured) and returns what was stored. */
  create(object: KubeObject): KubeObject;
  /**
   * Replaces an object and returns what was stored. With `metadata.resourceVersion` it must be the stored one (409
   * otherwise). `subresource: 'status'` changes only the status; without it the status of the stored object is kept
   * where the kind has a status subresource. Writing an equal object changes nothing and raises no event.
   */
  update(object: KubeObject, options?: { readonly subresource?: 'status' }): KubeObject;
  /** Deletes an object as a client would (finalizers are respected); an object that is not there is no error. */
  delete(kind: KindRef, ref: ObjectRef): void;
  /**
   * Calls `handler` with ADDED for each object there is now, then with each change, in order. Handlers are called in a
   * microtask after the write, never inside it, so a handler may write. The returned object ends the watch.
   */
  watch(kind: KindRef, handler: (event: ObjectEvent) => void): Disposable;
  /** The injected clock, in milliseconds since 1970. */
  now(): number;
}
