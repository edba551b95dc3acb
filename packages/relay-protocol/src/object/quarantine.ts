/** Objects of one side that the other has not as they are now, with the reasons. */
import type { ObjectRejection } from '../message.ts';
import { kindId, type ObjectKey, objectId } from './envelope.ts';

/** Outlives streams, like the holdings it belongs to. */
export class Quarantine {
  readonly #rejections = new Map<string, ObjectRejection>();
  /** By kind: objects of which no state at all is known. */
  readonly #lacking = new Map<string, Set<string>>();

  /** The objects, each with the last refusal. */
  get rejections(): Iterable<ObjectRejection> {
    return this.#rejections.values();
  }

  get size(): number {
    return this.#rejections.size;
  }

  /** Whether an object of the kind exists of which no state is known: what is known of the kind is not everything. */
  lacks(kind: string): boolean {
    return this.#lacking.has(kind);
  }

  /** Whether an object is kept apart of which no state is known. */
  isLacking(key: ObjectKey): boolean {
    return this.#lacking.get(kindId(key))?.has(objectId(key)) === true;
  }

  /** Whether any kind lacks an object. */
  get lacksAny(): boolean {
    return this.#lacking.size > 0;
  }

  /** @param known whether an earlier state of the object is in force */
  add(rejection: ObjectRejection, known: boolean): void {
    const id = objectId(rejection.key);
    this.#rejections.set(id, rejection);
    if (known) this.#found(rejection.key, id);
    else this.#lose(kindId(rejection.key), id);
  }

  /** The object was taken, or is gone. */
  delete(key: ObjectKey): void {
    const id = objectId(key);
    if (this.#rejections.delete(id)) this.#found(key, id);
  }

  #lose(kind: string, id: string): void {
    const ids = this.#lacking.get(kind) ?? new Set();
    this.#lacking.set(kind, ids.add(id));
  }

  #found(key: ObjectKey, id: string): void {
    const ids = this.#lacking.get(kindId(key));
    if (ids?.delete(id) === true && ids.size === 0) this.#lacking.delete(kindId(key));
  }
}
