/** Writes that nobody answered: each may still land, for as long as the object is the version that it names. */
import type { KubeObject } from '@meshrelay/api';

export class UnconfirmedWrites {
  /** The versions that those writes name, by object; undefined for a create. */
  readonly #versions = new Map<string, string | undefined>();

  /** A write of this version of the object was not answered. */
  raise(id: string, there: KubeObject | undefined): void {
    this.#versions.set(id, there?.metadata.resourceVersion);
  }

  /** A later write was answered, so that the object has another version. @returns whether there was a doubt */
  settle(id: string): boolean {
    return this.#versions.delete(id);
  }

  /** Whether one may still land on the object as it is now. */
  has(id: string, there: KubeObject | undefined): boolean {
    return this.#versions.has(id) && this.#versions.get(id) === there?.metadata.resourceVersion;
  }
}
