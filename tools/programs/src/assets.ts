/** Files that programs read at run time, next to their bundles. */
import { copyFileSync, globSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folders of each program, as paths from the root. */
export type Assets = Readonly<Record<string, readonly string[] | undefined>>;

/** The files in these folders, as paths from the root. */
export function assetFiles(root: string, folders: readonly string[] = []): readonly string[] {
  const found = folders.flatMap((folder) => globSync(`${folder}/**`, { cwd: root }));
  return found.filter((path) => statSync(join(root, path)).isFile()).sort();
}

/** Copies files to the same paths in another folder. */
export function copyFiles(from: string, to: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
  }
}
