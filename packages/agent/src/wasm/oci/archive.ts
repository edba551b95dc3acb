/**
 * Finds the module in a tar archive that is compressed by gzip. The agent writes no file to a disk, so file names in
 * the archive can do no harm.
 */
import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { ModuleError } from '../module-error.ts';

/** Name of the module in images for Istio. */
const MODULE_FILE = 'plugin.wasm';
/** Size of a tar block, in bytes: a header takes one, and content is padded to whole blocks. */
const BLOCK = 512;
/** Types of regular files in a tar header. */
const REGULAR: ReadonlySet<string> = new Set(['0', '\0']);
/** Bytes allowed for headers and padding, in addition to the maximum size of the module. */
const OVERHEAD = 1024 * 1024;

/** Offsets and lengths of the fields of a tar header, in bytes. */
const NAME = { offset: 0, length: 100 };
const SIZE = { offset: 124, length: 12 };
const TYPE_OFFSET = 156;

/** @throws ModuleError if the archive is too big or not a gzip file, or has no module */
export function moduleInArchive(compressed: Uint8Array, image: string, maxBytes: number): Uint8Array {
  const archive = unzip(compressed, image, maxBytes + OVERHEAD);
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    const size = sizeOf(header);
    if (size === undefined || at + BLOCK + size > archive.length) break;
    const name = textOf(header, NAME).replace(/^\.?\//, '');
    const type = String.fromCharCode(header[TYPE_OFFSET] ?? 0);
    if (name === MODULE_FILE && REGULAR.has(type)) return archive.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new ModuleError(
    `${image} has no file ${MODULE_FILE} in its last layer; build it like Wasm images for Istio`,
    'changed',
  );
}

function unzip(compressed: Uint8Array, image: string, maxBytes: number): Buffer {
  try {
    return gunzipSync(compressed, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooBig = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = isTooBig ? "is bigger than wasm.maxBytes of the agent's configuration" : 'is not a gzip file';
    throw new ModuleError(`the last layer of ${image} ${problem}; build it again`, 'changed', error);
  }
}

/** The size of a file in bytes, from octal digits; undefined without digits, as at the end of the archive. */
function sizeOf(header: Uint8Array): number | undefined {
  const text = textOf(header, SIZE).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function textOf(header: Uint8Array, { offset, length }: typeof NAME): string {
  const bytes = header.subarray(offset, offset + length);
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8');
}
