/** Store access of built-in controllers: the same verbs a client has, without HTTP. */
import type { KubeObject } from '../object.ts';

/** Names a served kind; `group` is `''` for the core group. */
export interface KindRef {
  readonly group: string;
  readonly kind: string;
}

/** Names one object. `namespace` is omitted for cluster-scoped kinds. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** A change of one object for a controller; `previous` is the earlier object, absent for `ADDED`. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/**
 * The store for controllers. Returned objects are shared and must not be mutated; reads see every finished write.
 * Writes are synchronous, use the same admission, validation and bookkeeping as a client's, and throw
 * {@link StatusError} (404, 409, 422, ...) like the API.
 */
export interface ControllerStore {
  /**
   * Every object of a kind, in (namespace, name) order, of one namespace if given. Unknown kinds give an empty list.
   */
  list(kind: KindRef, namespace?: string): readonly KubeObject[];
  /** The object, or undefined. */
  get(kind: KindRef, ref: ObjectRef): KubeObject | undefined;
  /** Creates an object (with `metadata.generateName`, if set) and returns the stored one. */
  create(object: KubeObject): KubeObject;
  /**
   * Replaces an object and returns the stored one. If `metadata.resourceVersion` is given, it must match the stored one
   * (409 otherwise). `subresource: 'status'` changes only the status; without it, a kind with a status subresource
   * keeps the stored status. Writing an equal object changes nothing and causes no event.
   */
  update(object: KubeObject, options?: { readonly subresource?: 'status' }): KubeObject;
  /** Deletes an object as a client would (finalizers are respected); a missing object is not an error. */
  delete(kind: KindRef, ref: ObjectRef): void;
  /**
   * Calls `handler` with ADDED for each present object, then with each change, in order. Handlers are called in a
   * microtask after the write, never inside it, so a handler may write. The returned object ends the watch.
   */
  watch(kind: KindRef, handler: (event: ObjectEvent) => void): Disposable;
  /** The injected clock, in milliseconds since 1970. */
  now(): number;
}
