/** Changes that wait until their inputs can be compared with what was applied: the latest of each object. */
import { kindId, type ObjectEnvelope, type ObjectKey, objectId } from '../object/envelope.ts';

/** What a delta changes. */
export interface Change {
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /** With it, what is desired is known in whole. */
  readonly complete: boolean;
}

interface HeldObject {
  readonly key: ObjectKey;
  /** Undefined for a delete. */
  readonly envelope?: ObjectEnvelope;
}

export class HeldChanges {
  readonly #objects = new Map<string, HeldObject>();
  /** The kinds of the deltas held, by their numbers. */
  readonly #numbers = new Map<number, string>();
  #complete = false;

  /** Deltas held. */
  get size(): number {
    return this.#numbers.size;
  }

  add(number: number, kind: string, change: Change): void {
    this.#numbers.set(number, kind);
    this.#put(change);
    this.#complete = change.complete;
  }

  /** Gives up what is held of a kind. @returns the numbers of its deltas. */
  dropKind(kind: string): number[] {
    for (const [id, { key }] of this.#objects) if (kindId(key) === kind) this.#objects.delete(id);
    const numbers = [...this.#numbers].filter(([, of]) => of === kind).map(([number]) => number);
    for (const number of numbers) this.#numbers.delete(number);
    if (numbers.length > 0) this.#complete = false;
    return numbers;
  }

  /** Gives out everything, together with a later change which goes over it. */
  takeWith(later: Change): Change & { readonly numbers: readonly number[] } {
    if (this.size === 0) return { ...later, numbers: [] };
    const nothingLater = later.upserts.length === 0 && later.deletes.length === 0;
    const complete = later.complete || (this.#complete && nothingLater);
    this.#put(later);
    const objects = [...this.#objects.values()];
    const numbers = [...this.#numbers.keys()];
    this.clear();
    return {
      upserts: objects.flatMap(({ envelope }) => envelope ?? []),
      deletes: objects.filter(({ envelope }) => envelope === undefined).map(({ key }) => key),
      complete,
      numbers,
    };
  }

  clear(): void {
    this.#objects.clear();
    this.#numbers.clear();
    this.#complete = false;
  }

  #put({ upserts, deletes }: Change): void {
    for (const envelope of upserts) this.#objects.set(objectId(envelope), { key: envelope, envelope });
    for (const key of deletes) this.#objects.set(objectId(key), { key });
  }
}
