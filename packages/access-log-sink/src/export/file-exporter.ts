/** JSON lines to a file, of which so many old ones are kept as `PATH.1`, `PATH.2`, … */
import { Buffer } from 'node:buffer';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { entryLine } from './entry-json.ts';
import type { LogExporter } from './log-exporter.ts';

export interface FileOptions {
  readonly path: string;
  /** Bytes after which a new file is begun; 64 MiB by default. One batch is never divided. */
  readonly maxBytes?: number;
  /** Old files that are kept; 5 by default. */
  readonly maxFiles?: number;
}

/** Appends to what is there. */
export function fileExporter({ path, maxBytes = 64 * 2 ** 20, maxFiles = 5 }: FileOptions): LogExporter {
  let file: { readonly handle: FileHandle; bytes: number } | undefined;

  async function opened(): Promise<{ readonly handle: FileHandle; bytes: number }> {
    if (file === undefined) {
      // For its owner alone: paths and headers of requests are nobody else's business.
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
        // The disk may have been full in the middle of a line: look at the file anew before the next try.
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
