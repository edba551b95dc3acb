/** Versions that an Envoy rejected: they are not sent to it again, but their successors are. */
import { namedIn, publishable, type Rejection } from './rejection.ts';
import type { XdsType } from './resource-type.ts';

interface QuarantineEntry {
  readonly rejection: Rejection;
  readonly named: boolean;
  readonly unclear: boolean;
}

/** The rejected versions of one type on one stream. */
export class Quarantine {
  readonly #type: XdsType;
  readonly #refused = new Map<string, { readonly version: string; readonly message: string }>();
  /** Groups of names that must be sent alone, since one of each group was rejected without being named. */
  readonly #suspects: (readonly string[])[] = [];

  constructor(type: XdsType) {
    this.#type = type;
  }

  /** Whether this version was rejected. A later version clears the name. */
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

  /** The next group that must be sent alone. */
  takeSuspects(): readonly string[] | undefined {
    return this.#suspects.shift();
  }

  get hasSuspects(): boolean {
    return this.#suspects.length > 0;
  }

  /**
   * Records the rejection of a response with these new versions. Names in Envoy's error are quarantined. Without names,
   * the only resource of a response is to blame, and a response of several is split into two halves that are tried
   * separately.
   * @param all all names in the response, if there were more
   * @returns `named`: Envoy named the rejected resources; `unclear`: the rejected ones are unknown
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
