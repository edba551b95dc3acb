/** Writes a file so that readers see the old content or the new one. */
import { renameSync, writeFileSync } from 'node:fs';

export function writeWhole(file: string, content: Buffer | string): void {
  writeFileSync(`${file}.unfinished`, content);
  renameSync(`${file}.unfinished`, file);
}
