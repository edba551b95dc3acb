/**
 * Finds the module in a file archive (tar, compressed by gzip). Nothing is unpacked to a disk, so file names in it can
 * do no harm.
 */
import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { ModuleError } from '../module-error.ts';

/** Name of the module in images for Istio. */
const MODULE_FILE = 'plugin.wasm';
const BLOCK = 512;
const REGULAR: ReadonlySet<string> = new Set(['0', '\0']);
/** Room for headers and padding of the archive itself. */
const OVERHEAD = 1024 * 1024;

/** @throws ModuleError */
export function moduleInArchive(compressed: Uint8Array, image: string, maxBytes: number): Uint8Array {
  const archive = unzip(compressed, image, maxBytes + OVERHEAD);
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    const size = sizeOf(header);
    if (size === undefined || at + BLOCK + size > archive.length) break;
    const name = textOf(header, 0, 100).replace(/^\.?\//, '');
    const type = String.fromCharCode(header[156] ?? 0);
    if (name === MODULE_FILE && REGULAR.has(type)) return archive.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new ModuleError(
    `${image} has no file ${MODULE_FILE} in its last layer; build it like Wasm images for Istio`,
    'changed',
  );
}

function unzip(compressed: Uint8Array, image: string, max: number): Buffer {
  try {
    return gunzipSync(compressed, { maxOutputLength: max });
  } catch (error) {
    const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = tooMuch ? "is bigger than wasm.maxBytes of the agent's configuration" : 'is not a gzip file';
    throw new ModuleError(`the last layer of ${image} ${why}; build it again`, 'changed', error);
  }
}

/** Octal digits; undefined without digits, as at the end of the archive. */
function sizeOf(header: Uint8Array): number | undefined {
  const text = textOf(header, 124, 12).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function textOf(header: Uint8Array, from: number, length: number): string {
  const bytes = header.subarray(from, from + length);
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8');
}
