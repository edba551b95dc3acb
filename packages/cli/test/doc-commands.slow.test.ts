/** Commands of docs print on the sample fleet the output on their page. `MESHRELAY_GOLDEN=update` writes new output. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { filesOf, type PageCommand, pageOf, type Stretch, stretchesOf } from './support/doc-page.ts';
import { writeFiles } from './support/files.ts';
import { meshctlHere } from './support/run.ts';
import { CLUSTERS, DOCS, MANAGEMENT } from './support/sample-fleet.ts';

const UPDATE = process.env['MESHRELAY_GOLDEN'] === 'update';
/** The variables that docs/tasks/README.md has readers set. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  $CLUSTERS: CLUSTERS.flatMap((cluster) => ['--cluster', cluster]),
  $FLEET: [...CLUSTERS.flatMap((cluster) => ['--cluster', cluster]), '--config', MANAGEMENT],
};

for (const path of globSync(['tasks/*.md', 'concepts/*.md'], { cwd: DOCS }).sort()) {
  const page = readFileSync(join(DOCS, path), 'utf8');
  if (!page.includes('```console\n')) continue;
  test(`${path} shows the output of its commands`, async () => {
    using folder = temporaryFolder();
    writeFiles(folder.path, Object.fromEntries(filesOf(page).map(({ name, text }) => [name, text])));
    const now: Stretch[] = [];
    for (const stretch of stretchesOf(page)) {
      if (typeof stretch === 'string') now.push(stretch);
      else {
        const commands: PageCommand[] = [];
        for (const { line } of stretch) commands.push({ line, output: await printed(line, folder.path) });
        now.push(commands);
      }
    }
    if (UPDATE) writeFileSync(join(DOCS, path), pageOf(now));
    else assert.is(page, pageOf(now), `${path} differs; MESHRELAY_GOLDEN=update writes what is printed now`);
  });
}

async function printed(line: string, folder: string): Promise<string> {
  const [program, ...words] = line.match(/'[^']*'|\S+/g) ?? [];
  if (program !== 'meshctl') throw new Error(`$ ${line}: only meshctl is run; mark the block console demo, or sh`);
  const args = words.flatMap((word) => VARIABLES[word] ?? [word.replaceAll("'", '')]);
  const { stdout, stderr } = await meshctlHere(args, folder);
  return (stdout + stderr).replace(/[ \t]+$/gm, '');
}

test.run();
