/** Keys of rows as bytes outside the heap: a fifth of what they take as strings. */
import { IntColumn } from './int-column.ts';
import type { Key } from './key.ts';
import type { KeyDictionary } from './key-dictionary.ts';

/** Ends a key. Other bytes below {@link WORD} are characters. */
const END = 0;
/** Such a byte and the one after it are the number of a word. */
const WORD = 0x80;
/** Where no key stands. */
const NOWHERE = 0;
const LEAST_DEAD = 4_096;
/** UTF-16 code units of a key that can be taken. */
const LONGEST = 1_024;

/** What stands in words between commas need not be the key's parts: any text comes back as it was. */
export class KeyBytes {
  readonly #words: KeyDictionary;
  #bytes = new Uint8Array(0);
  /** The first byte is nobody's, so that no key stands at {@link NOWHERE}. */
  #end = 1;
  /** Bytes of keys that have gone. */
  #dead = 0;
  /** By row: where its key begins. */
  #starts = new IntColumn();

  constructor(words: KeyDictionary) {
    this.#words = words;
  }

  /** Takes the key of a row that has none here. @returns false where it must be kept elsewhere: it has other characters than ASCII's, or is very long */
  put(row: number, key: Key): boolean {
    if (key.length > LONGEST) return false;
    this.#reserve(key.length + 1);
    let end = this.#end;
    for (let at = 0; at < key.length; ) {
      const comma = key.indexOf(',', at);
      const next = comma < 0 ? key.length : comma + 1;
      // What comes last is a name, and hardly ever another's.
      const word = comma < 0 ? undefined : this.#words.numberOf(key.slice(at, next));
      if (word === undefined) {
        for (; at < next; at++) {
          const code = key.charCodeAt(at);
          if (code === END || code >= WORD) return false;
          this.#bytes[end++] = code;
        }
      } else {
        this.#bytes[end++] = WORD | (word >>> 8);
        this.#bytes[end++] = word & 0xff;
        at = next;
      }
    }
    this.#bytes[end++] = END;
    this.#starts.set(row, this.#end);
    this.#end = end;
    return true;
  }

  /** The key of a row; undefined where it is not here. */
  get(row: number): Key | undefined {
    const start = this.#starts.get(row);
    if (start === NOWHERE) return undefined;
    const pieces: string[] = [];
    for (let at = start; this.#bytes[at] !== END; ) {
      if (this.#isWord(at)) {
        pieces.push(this.#wordAt(at));
        at += 2;
        continue;
      }
      const from = at;
      while (!this.#isWord(at) && this.#bytes[at] !== END) at += 1;
      pieces.push(String.fromCharCode(...this.#bytes.subarray(from, at)));
    }
    return pieces.join('');
  }

  /** Whether this is the key of a row. */
  is(row: number, key: Key): boolean {
    let at = this.#starts.get(row);
    if (at === NOWHERE) return false;
    let position = 0;
    for (let byte = this.#bytes[at]; byte !== END; byte = this.#bytes[at]) {
      if (this.#isWord(at)) {
        const word = this.#wordAt(at);
        if (!key.startsWith(word, position)) return false;
        position += word.length;
        at += 2;
      } else if (key.charCodeAt(position) === byte) {
        position += 1;
        at += 1;
      } else return false;
    }
    return position === key.length;
  }

  /** The row has no key any more. */
  remove(row: number): void {
    const start = this.#starts.get(row);
    if (start === NOWHERE) return;
    this.#dead += after(this.#bytes, start) - start;
    this.#starts.set(row, NOWHERE);
  }

  /** Lets go of what is nobody's, once that is more than all else. @param rows all rows are below it */
  tidy(rows: number): void {
    if (this.#dead < LEAST_DEAD || this.#dead * 2 < this.#end) return;
    const [bytes, starts] = [this.#bytes, this.#starts];
    this.#bytes = new Uint8Array(this.#end - this.#dead);
    this.#starts = new IntColumn();
    this.#end = 1;
    this.#dead = 0;
    for (let row = 0; row < rows; row++) {
      const start = starts.get(row);
      if (start === NOWHERE) continue;
      const key = bytes.subarray(start, after(bytes, start));
      this.#bytes.set(key, this.#end);
      this.#starts.set(row, this.#end);
      this.#end += key.length;
    }
  }

  /** What it takes. */
  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  #isWord(at: number): boolean {
    return (this.#bytes[at] as number) >= WORD;
  }

  #wordAt(at: number): string {
    return this.#words.word((((this.#bytes[at] as number) & 0x7f) << 8) | (this.#bytes[at + 1] as number));
  }

  #reserve(more: number): void {
    const { length } = this.#bytes;
    if (this.#end + more <= length) return;
    const grown = new Uint8Array(Math.max(this.#end + more, length + (length >>> 2)));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Where the key that begins at `start` ends, its last byte included. */
function after(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] !== END) at += (bytes[at] as number) >= WORD ? 2 : 1;
  return at + 1;
}
