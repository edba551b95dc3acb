/** `npm run build`: puts each program into a folder of its own below `dist/programs`. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { copyFiles } from './assets.ts';
import { builtPrograms } from './built-program.ts';
import { mainFile } from './bundle.ts';
import { manifestOf } from './manifest.ts';
import { ROOT } from './programs.ts';

const { folder: build, files } = builtPrograms();
// The build may be older than the commit that has the same sources.
const manifest = manifestOf(ROOT);
for (const name of Object.keys(files)) put(name, files[name] ?? []);

/** Through a folder with another name, so that no half of a program can be taken for the whole. */
function put(name: string, names: readonly string[]): void {
  const folder = join(ROOT, 'dist/programs', name);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  copyFiles(build, unfinished, names);
  writeFileSync(join(unfinished, 'package.json'), manifest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  process.stdout.write(`dist/programs/${name}/${mainFile(name)}\n`);
}
