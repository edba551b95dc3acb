/**
 * Cache of parsed PEM texts: the same certificates are presented repeatedly, and strict parsing takes longer than most
 * later steps.
 */

/** Limits used for parsing: other limits may reject the same text. */
export interface ReadWith {
  readonly max: number;
  readonly allowText?: boolean;
}

/** Maximum number of cached texts: those of a few hundred agents that connect at once. */
const TEXTS = 256;
/** Maximum characters of a cached text. Longer ones are rare, and texts from unknown peers use at most 4 MiB. */
const CHARACTERS = 16 * 1024;

/** Caches results by text and limits, and evicts the least recently used. Invalid texts are never cached. */
export class ReadLately<T> {
  readonly #known = new Map<string, T>();

  /** The result of `read` for this text, possibly cached. @throws the errors of `read` */
  get(pem: string, { max, allowText = false }: ReadWith, read: () => T): T {
    if (pem.length > CHARACTERS) return read();
    const name = `${max} ${allowText} ${pem}`;
    const made = this.#known.get(name) ?? read();
    this.#known.delete(name);
    this.#known.set(name, made);
    if (this.#known.size > TEXTS) this.#known.delete(this.#known.keys().next().value as string);
    return made;
  }

  /** Number of cached texts. */
  get size(): number {
    return this.#known.size;
  }
}
