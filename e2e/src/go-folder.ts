/** The folder of the Go modules of the real programs. */
import { fileURLToPath } from 'node:url';

/** The absolute path of a folder of `e2e/go`. */
export function goFolder(name: string): string {
  return fileURLToPath(new URL(`../go/${name}`, import.meta.url));
}
