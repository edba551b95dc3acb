/**
 * Checks what the public packages publish, and prints each problem: their package.json, jsr.json and README, and
 * publint's rules. `--update` writes the jsr.json.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { jsrManifest, jsrProblem, writeJsrManifests } from './packages/jsr.ts';
import { readPackages } from './packages/manifest.ts';
import { manifestProblems } from './packages/manifest-problems.ts';
import { PACKED, publishedFiles, rangesOf, staleFiles } from './packages/published.ts';
import { packProgram } from './packages/tarballs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv.includes('--update')) writeJsrManifests(root);
const folders = readPackages(root);
const { catalog, versions } = rangesOf(root, folders);
const privates = new Set(folders.flatMap(({ manifest }) => (manifest.private === true ? manifest.name : [])));
const published = folders.filter(({ manifest }) => manifest.private !== true);

const problems: string[] = [];
for (const folder of published) {
  problems.push(...manifestProblems(folder, { catalog, privates }));
  const jsr = jsrManifest(folder, { catalog, versions });
  const jsrFile = join(root, folder.path, 'jsr.json');
  problems.push(...jsrProblem(folder, existsSync(jsrFile) ? readFileSync(jsrFile, 'utf8') : undefined, jsr));
  packProgram(root, folder);
  const files = publishedFiles(root, folder, { catalog, versions });
  problems.push(
    ...staleFiles(files).map((name) => `${folder.path}: ${name} has no source; delete dist and build again`),
  );
  const { messages, pkg } = await publint({ pkgDir: PACKED, pack: { files: [...files] }, strict: true });
  for (const message of messages) problems.push(`${folder.path}: publint: ${formatMessage(message, pkg)}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(`packages: ${published.length} public, ${privates.size} private, ${problems.length} problems`);
