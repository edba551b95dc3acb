/** Keys of rows as bytes outside the heap, at a fifth of their size as strings. */

import type { Key } from '@meshrelay/plugin';
import { IntColumn } from './int-column.ts';
import type { KeyDictionary } from './key-dictionary.ts';

/** Ends a key. Other bytes below {@link WORD} are characters. */
const END = 0;
/** This byte and the next one encode the number of a word. */
const WORD = 0x80;
/** Offset of a row without a key. */
const NOWHERE = 0;
const LEAST_DEAD = 4_096;
/** Maximum length of a stored key, in UTF-16 code units. */
const LONGEST = 1_024;

/**
 * Byte storage of keys. The text between commas does not have to match the parts of a key: any text decodes to itself.
 */
export class KeyBytes {
  readonly #words: KeyDictionary;
  #bytes = new Uint8Array(0);
  /** Starts at 1: the first byte is unused, so that no key is at {@link NOWHERE}. */
  #end = 1;
  /** Bytes of removed keys. */
  #dead = 0;
  /** By row: the offset of its key. */
  #starts = new IntColumn();

  constructor(words: KeyDictionary) {
    this.#words = words;
  }

  /**
   * Stores the key of a row that has none here. @returns false if it must be stored as a string: it has characters
   * outside ASCII, or is too long
   */
  put(row: number, key: Key): boolean {
    if (key.length > LONGEST) return false;
    this.#reserve(key.length + 1);
    let end = this.#end;
    for (let at = 0; at < key.length; ) {
      const comma = key.indexOf(',', at);
      const next = comma < 0 ? key.length : comma + 1;
      // The last part is a name, which few keys share, so it is not a word.
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

  /** The key of a row; undefined if it is not stored here. */
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

  /** Whether a row has this key. */
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

  /** Removes the key of a row. */
  remove(row: number): void {
    const start = this.#starts.get(row);
    if (start === NOWHERE) return;
    this.#dead += after(this.#bytes, start) - start;
    this.#starts.set(row, NOWHERE);
  }

  /**
   * Compacts the storage once removed keys take at least half of it, and {@link LEAST_DEAD} bytes. @param rows upper
   * bound of all rows
   */
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

  /** Size of the storage in bytes. */
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

/** The offset after the key that begins at `start`, including its end byte. */
function after(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] !== END) at += (bytes[at] as number) >= WORD ? 2 : 1;
  return at + 1;
}
