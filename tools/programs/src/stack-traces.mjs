/**
 * Makes the stack traces of a bundle name the lines of its sources. Node's own support reads the source map of every
 * file that it loads, also if no stack is ever printed; this reads a map when the first stack needs it, and
 * decodes it as far as the last line that a stack has named: all of it takes a large bundle 150 ms.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url).href;
/** @type {Map<string, LineMap | undefined>} */
const maps = new Map();

Error.prepareStackTrace = (error, sites) =>
  [headOf(error), ...sites.map((site) => `    at ${inSources(site)}`)].join('\n');

/** As Node does it, with the code of its own errors. @param {Error} error */
function headOf(error) {
  try {
    const { name, code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isNodes = typeof code === 'string' && code.startsWith('ERR_');
    return isNodes ? `${name} [${code}]: ${message}` : Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** @param {NodeJS.CallSite} site */
function inSources(site) {
  const text = String(site);
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith(folder) || line === null || column === null) return text;
  const place = mapOf(file)?.placeOf(line - 1, column - 1);
  if (place === undefined) return text;
  const source = fileURLToPath(new URL(place.source, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${place.line + 1}:${place.column + 1}`);
}

/** @param {string} file */
function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Without a map the stack names the bundle. @param {string} file */
function readMap(file) {
  try {
    return new LineMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By the code of the digit. */
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value += 1) VALUES[DIGITS.charCodeAt(value)] = value;
const [COMMA, SEMICOLON] = [44, 59];

/**
 * A source map (ECMA-426), read from its start to the line that is looked up. Entries are relative to the ones before
 * them, so the state at the start of each line is kept. All numbers count from 0.
 */
class LineMap {
  /** @type {readonly string[]} */
  #sources;
  /** @type {string} */
  #mappings;
  /** At the start of each line that was reached: position in the text, source, line, column. @type {number[][]} */
  #starts = [[0, 0, 0, 0]];

  /** @param {{ readonly sources: readonly string[], readonly mappings: string }} map */
  constructor({ sources, mappings }) {
    this.#sources = sources;
    this.#mappings = mappings;
  }

  /**
   * @param {number} line
   * @param {number} column
   * @returns {{ readonly source: string, readonly line: number, readonly column: number } | undefined}
   */
  placeOf(line, column) {
    while (this.#starts.length <= line) {
      const next = this.#lineFrom(this.#starts.at(-1) ?? [], -1).next;
      if (next === undefined) return undefined;
      this.#starts.push(next);
    }
    const { found = [] } = this.#lineFrom(this.#starts[line] ?? [], column);
    const source = this.#sources[found[0] ?? -1];
    return source === undefined ? undefined : { source, line: found[1] ?? 0, column: found[2] ?? 0 };
  }

  /**
   * Reads one line: the last entry at or before `column`, and the start of the next line.
   * @param {readonly number[]} start
   * @param {number} column
   */
  #lineFrom([position = 0, ...before], column) {
    const text = this.#mappings;
    // Column in the bundle; source, line and column of the source.
    const fields = [0, ...before];
    let [field, value, shift, at] = [0, 0, 0, position];
    /** @type {number[] | undefined} */
    let found;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === COMMA || code === SEMICOLON) {
        // An entry of one field belongs to no source.
        if (field > 0 && (fields[0] ?? 0) <= column) found = field === 1 ? undefined : fields.slice(1, 4);
        field = 0;
        if (code === SEMICOLON) return { found, next: [at + 1, ...fields.slice(1, 4)] };
        continue;
      }
      // Base64 VLQ: 5 bits a digit, the lowest first; the lowest bit of a number is its sign.
      const digit = VALUES[code] ?? 0;
      value |= (digit & 31) << shift;
      shift += 5;
      if ((digit & 32) !== 0) continue;
      fields[field] = (fields[field] ?? 0) + ((value & 1) === 0 ? value >>> 1 : -(value >>> 1));
      field += 1;
      [value, shift] = [0, 0];
    }
    if (field > 0 && (fields[0] ?? 0) <= column) found = field === 1 ? undefined : fields.slice(1, 4);
    return { found, next: undefined };
  }
}
