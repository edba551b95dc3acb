/** What was made of PEM texts lately: certificates are shown again and again, and reading one strictly takes longer than most of what follows. */

/** What a text was read with: other bounds may refuse what these took. */
export interface ReadWith {
  readonly max: number;
  readonly allowText?: boolean;
}

/** Texts that are remembered: those of a few hundred agents that connect at once. */
const TEXTS = 256;
/** Characters of a text that is remembered; longer ones are rare, and what strangers show takes no more than 4 MiB. */
const CHARACTERS = 16 * 1024;

/** Remembers outcomes by text and bounds, the least recently asked for forgotten first. What is not well made is never remembered. */
export class ReadLately<T> {
  readonly #known = new Map<string, T>();

  /** What `read` made of this text, now or lately. @throws what `read` throws */
  get(pem: string, { max, allowText = false }: ReadWith, read: () => T): T {
    if (pem.length > CHARACTERS) return read();
    const name = `${max} ${allowText} ${pem}`;
    const made = this.#known.get(name) ?? read();
    this.#known.delete(name);
    this.#known.set(name, made);
    if (this.#known.size > TEXTS) this.#known.delete(this.#known.keys().next().value as string);
    return made;
  }

  /** Texts that are remembered now. */
  get size(): number {
    return this.#known.size;
  }
}
