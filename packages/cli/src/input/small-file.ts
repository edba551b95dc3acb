/** Reads small files that the user names: certificates, keys, tokens, kubeconfigs. */
import { Buffer } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { InputError } from '../problem.ts';

/** In bytes. A larger file cannot be one of these. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a file, or of a pipe, such as a shell creates for `<(command)`. It stops at the size limit, since a pipe
 * may be endless.
 * @param what names it in the message, such as `--server-token FILE`
 * @throws InputError if it cannot be read, or is larger than a megabyte
 */
export function readSmallFile(path: string, what: string = shownPath(path)): string {
  let text: string | undefined;
  try {
    text = read(path);
  } catch (cause) {
    throw new InputError(`${what} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (text !== undefined) return text;
  throw new InputError(
    `${what} has more than ${MAX_BYTES} bytes, so it is another file than was meant; give the right one`,
  );
}

/** A path for messages, visible even if it is empty. */
export function shownPath(path: string): string {
  return path === '' ? 'the empty path ""' : path;
}

/** Undefined if the file is larger than a small file. */
function read(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      if (count === 0) return bytes.toString('utf8', 0, length);
      length += count;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
