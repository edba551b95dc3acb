/**
 * `node pack.ts PROGRAM FOLDER`: puts a program into the folder that its npm package publishes. It is bundled by itself:
 * what is bundled together shares files, and so libraries that only the others use.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assetFiles, copyFiles } from './assets.ts';
import { bundle } from './bundle.ts';
import { manifestOf } from './manifest.ts';
import { assets, entries, ROOT } from './programs.ts';

const [name = '', folder = ''] = process.argv.slice(2);
const entry = entries[name];
if (entry === undefined || folder === '')
  throw new Error(`usage: node pack.ts PROGRAM FOLDER; the programs are ${Object.keys(entries).join(', ')}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { files } = bundle({ root: ROOT, entries: { [name]: entry }, folder });
// What only code would load that the bundle leaves out.
for (const file of readdirSync(folder)) if (files[name]?.includes(file) !== true) rmSync(join(folder, file));
const shipped: Readonly<Record<string, readonly string[]>> = assets;
copyFiles(ROOT, folder, assetFiles(ROOT, shipped[name]));
writeFileSync(join(folder, 'package.json'), manifestOf(ROOT));
