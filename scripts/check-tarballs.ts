/**
 * Packs every public package, installs the tarballs by npm and by pnpm into empty folders, and there imports each entry
 * and uses each package: in every maintained Node that its `engines` admit, and in Deno. Types too are checked: in the
 * tarballs, and by a compiler in the project. `--keep` leaves the folder, and prints its path.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Installer, install } from './packages/consumer.ts';
import { tryExamples } from './packages/examples.ts';
import { readCatalog, readPackages } from './packages/manifest.ts';
import { serveTarballs } from './packages/registry.ts';
import { denoRuntime, nodeRuntimes, type Runtime, useIn } from './packages/runtimes.ts';
import { packAll } from './packages/tarballs.ts';
import { typesProblems } from './packages/types-problems.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What the project uses in addition to the packages. */
const LIBRARIES = ['@grpc/grpc-js', '@kubernetes/client-node', '@types/node'];

const folder = mkdtempSync(join(tmpdir(), 'meshrelay-tarballs-'));
const problems: string[] = [];
let checks = 0;
try {
  await check();
} finally {
  if (process.argv.includes('--keep')) console.log(folder);
  else rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
console.log(`${checks} passed, ${problems.length} failed`);

async function check(): Promise<void> {
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true);
  const tarballs = packAll(root, published, join(folder, 'tarballs'));
  const manifests = tarballs.map(({ manifest }) => manifest);
  for (const tarball of tarballs) problems.push(...(await typesProblems(tarball)));
  checks += tarballs.length;

  const catalog = readCatalog(root);
  const dependencies = {
    ...Object.fromEntries(LIBRARIES.map((name) => [name, catalog[name] ?? '*'])),
    ...Object.fromEntries(manifests.map(({ name }) => [name, 'latest'])),
  };
  await using registry = await serveTarballs(tarballs);
  const nodes = await nodeRuntimes(root);
  // What each installs is the same, so each runtime needs one of them.
  const own = nodes.filter(({ title }) => title === `Node ${process.versions.node}`);
  const others = nodes.filter((node) => !own.includes(node));
  const runtimesOf: Readonly<Record<Installer, readonly Runtime[]>> = {
    npm: others,
    pnpm: [...own, denoRuntime(root)],
  };
  for (const [installer, runtimes] of Object.entries(runtimesOf)) {
    const project = join(folder, installer);
    await install(installer as Installer, { root, folder: project, registry: registry.url, dependencies });
    for (const runtime of runtimes) {
      const admitted = manifests.filter((manifest) => runtime.admits(manifest)).map(({ name }) => name);
      const used = await useIn(runtime, project, admitted);
      problems.push(...used.problems.map((problem) => `${installer}, ${problem}`));
      checks += used.checks;
    }
    if (installer === 'pnpm') {
      const tried = await tryExamples(root, join(folder, 'examples'), registry.url);
      problems.push(...tried.problems);
      checks += tried.checks;
      problems.push(...compileProblems(project).map((problem) => `types: ${problem}`));
      checks += 1;
    }
  }
}

/** What a compiler says about the project, which uses the types of every package. */
function compileProblems(project: string): readonly string[] {
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    return [stdout + stderr];
  }
}
