/** Objects of one side whose current state the other side does not have, with the reasons. */
import type { ObjectRejection } from '../message.ts';
import { kindId, type ObjectKey, objectId } from './envelope.ts';

/** Outlives streams, like the content index it belongs to. */
export class Quarantine {
  readonly #rejections = new Map<string, ObjectRejection>();
  /** By kind: objects without any known state. */
  readonly #missing = new Map<string, Set<string>>();

  /** The objects, each with its last rejection. */
  get rejections(): Iterable<ObjectRejection> {
    return this.#rejections.values();
  }

  get size(): number {
    return this.#rejections.size;
  }

  /** Whether the kind has an object without any known state: the kind is then not complete. */
  isIncomplete(kind: string): boolean {
    return this.#missing.has(kind);
  }

  /** Whether a quarantined object has no known state. */
  isMissing(key: ObjectKey): boolean {
    return this.#missing.get(kindId(key))?.has(objectId(key)) === true;
  }

  /** Whether any kind has an object without any known state. */
  get isAnyMissing(): boolean {
    return this.#missing.size > 0;
  }

  /** @param known whether an earlier state of the object is effective */
  add(rejection: ObjectRejection, known: boolean): void {
    const id = objectId(rejection.key);
    this.#rejections.set(id, rejection);
    if (known) this.#found(rejection.key, id);
    else this.#lose(kindId(rejection.key), id);
  }

  /** The object was accepted or deleted. */
  delete(key: ObjectKey): void {
    const id = objectId(key);
    if (this.#rejections.delete(id)) this.#found(key, id);
  }

  #lose(kind: string, id: string): void {
    const ids = this.#missing.get(kind) ?? new Set();
    this.#missing.set(kind, ids.add(id));
  }

  #found(key: ObjectKey, id: string): void {
    const ids = this.#missing.get(kindId(key));
    if (ids?.delete(id) === true && ids.size === 0) this.#missing.delete(kindId(key));
  }
}
