/** Versions that an Envoy refused: they are not sent to it again, and their successors are. */
import { namedIn, publishable, type Rejection } from './rejection.ts';
import type { XdsType } from './resource-type.ts';

interface QuarantineEntry {
  readonly rejection: Rejection;
  readonly named: boolean;
  readonly unclear: boolean;
}

/** The refused versions of one type on one stream. */
export class Quarantine {
  readonly #type: XdsType;
  readonly #refused = new Map<string, { readonly version: string; readonly message: string }>();
  /** Groups of names to be sent by themselves, as one of each group was refused and nobody said which. */
  readonly #suspects: (readonly string[])[] = [];

  constructor(type: XdsType) {
    this.#type = type;
  }

  /** Whether this version was refused. A later version clears the name. */
  holds(name: string, version: string): boolean {
    if (this.#refused.size === 0) return false;
    const refused = this.#refused.get(name);
    if (refused === undefined) return false;
    if (refused.version === version) return true;
    this.#refused.delete(name);
    return false;
  }

  forget(name: string): void {
    this.#refused.delete(name);
  }

  /** The next group that must travel alone. */
  takeSuspects(): readonly string[] | undefined {
    return this.#suspects.shift();
  }

  get hasSuspects(): boolean {
    return this.#suspects.length > 0;
  }

  /**
   * Takes a refusal of a response that told these versions anew. Whom Envoy names is held back; where it names nobody, a response of one
   * held the culprit, and one of many becomes two halves to be tried.
   * @param all names of everything in the response, where that was more
   * @returns `named`: Envoy said whom it refuses; `unclear`: it is not known which were refused
   */
  refuse(text: string, sent: ReadonlyMap<string, string>, all: Iterable<string> = sent.keys()): QuarantineEntry {
    const message = publishable(this.#type, text);
    const named = namedIn(text, all);
    const unclear = named.length === 0 && sent.size > 1;
    const guilty = named.length === 0 && sent.size === 1 ? [...sent.keys()] : named.filter((name) => sent.has(name));
    const versions = new Map(guilty.map((name) => [name, sent.get(name) ?? '']));
    for (const [name, version] of versions) this.#refused.set(name, { version, message });
    if (unclear) {
      const names = [...sent.keys()];
      const half = Math.ceil(names.length / 2);
      this.#suspects.unshift(names.slice(0, half), names.slice(half));
    }
    return { rejection: { type: this.#type, versions, message }, named: named.length > 0, unclear };
  }

  rejections(): Rejection[] {
    return [...this.#refused].map(([name, { version, message }]) => ({
      type: this.#type,
      versions: new Map([[name, version]]),
      message,
    }));
  }
}
