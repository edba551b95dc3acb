/** Writes JSON lines to a file and keeps a number of rotated files as `PATH.1`, `PATH.2`, … */
import { Buffer } from 'node:buffer';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { entryLine } from './entry-json.ts';
import type { LogExporter } from './log-exporter.ts';

export interface FileOptions {
  readonly path: string;
  /** Bytes after which the file is rotated; 64 MiB by default. A batch is never split. */
  readonly maxBytes?: number;
  /** Number of rotated files to keep; 5 by default. */
  readonly maxFiles?: number;
}

/** Appends to an existing file. */
export function fileExporter({ path, maxBytes = 64 * 2 ** 20, maxFiles = 5 }: FileOptions): LogExporter {
  let file: { readonly handle: FileHandle; bytes: number } | undefined;

  async function opened(): Promise<{ readonly handle: FileHandle; bytes: number }> {
    if (file === undefined) {
      // Readable only for its owner, because paths and headers of requests are confidential.
      const handle = await open(path, 'a', 0o600);
      file = { handle, bytes: (await handle.stat()).size };
    }
    return file;
  }

  async function close(): Promise<void> {
    const { handle } = file ?? {};
    file = undefined;
    await handle?.close();
  }

  async function rotate(): Promise<void> {
    await close();
    if (maxFiles === 0) return rm(path, { force: true });
    await rm(`${path}.${maxFiles}`, { force: true });
    for (let at = maxFiles - 1; at >= 0; at--)
      await rename(at === 0 ? path : `${path}.${at}`, `${path}.${at + 1}`).catch(ignoreAbsent);
  }

  return {
    name: 'file',
    async write(entries) {
      const lines = Buffer.from(`${entries.map(entryLine).join('\n')}\n`);
      let current = await opened();
      if (current.bytes > 0 && current.bytes + lines.length > maxBytes) {
        await rotate();
        current = await opened();
      }
      try {
        await current.handle.appendFile(lines);
        current.bytes += lines.length;
        return 0;
      } catch (error) {
        // The disk may have been full in the middle of a line: check the file again before the next attempt.
        await close().catch(() => undefined);
        throw error;
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
