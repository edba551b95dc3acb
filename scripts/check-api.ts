/**
 * Compares the public types of each public package with its `api.txt`. With MESHRELAY_GOLDEN=update, it writes the
 * files instead.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { apiReport, typesOf } from './packages/api-report.ts';
import { firstDifference } from './packages/first-difference.ts';
import { readPackages } from './packages/manifest.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// A package without modules, such as that of meshctl, has no types.
const published = readPackages(root).filter((folder) => folder.manifest.private !== true && typesOf(folder).length > 0);
let failed = 0;
for (const folder of published) {
  const path = `${folder.path}/api.txt`;
  const file = join(root, path);
  const text = apiReport(root, folder);
  if (process.env['MESHRELAY_GOLDEN'] === 'update') writeFileSync(file, text);
  const difference = firstDifference(existsSync(file) ? readFileSync(file, 'utf8') : '', text);
  if (difference === undefined) continue;
  failed += 1;
  console.error(`${path}:${difference}`);
}
if (failed > 0) {
  process.exitCode = 1;
  console.error(
    'The public types changed. What to do: run `MESHRELAY_GOLDEN=update npm run exec -- node scripts/check-api.ts`, read the difference as a change of the API, and commit it.',
  );
}
console.log(`${published.length - failed} passed, ${failed} failed`);
