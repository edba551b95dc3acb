// Generates descriptions and CRDs from the schemas. `--check` only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { crdYaml } from './crd-yaml.ts';
import { descriptionsModule } from './descriptions-module.ts';

const packageFolder = resolve(import.meta.dirname, '..');
const repository = resolve(packageFolder, '../..');
const crdFolder = join(packageFolder, 'crds');
const check = process.argv.includes('--check');
const stale: string[] = [];

// The descriptions come first: the CRDs are built from the module that holds them.
settle(join(packageFolder, 'src/gen/descriptions.ts'), descriptionsModule(join(packageFolder, 'src')));
const { crds } = await import('../src/crds/mod.ts');
for (const crd of crds) settle(join(crdFolder, `${crd.metadata.name}.yaml`), crdYaml(crd));
removeOthers(crds.map(({ metadata }) => `${metadata.name}.yaml`));

if (check && stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}\nrun: node packages/api/scripts/generate.ts\n`);
  process.exitCode = 1;
}

/** Writes `text` to `path`, or records that the file is outdated. */
function settle(path: string, text: string): void {
  if (readIfThere(path) === text) return;
  stale.push(relative(repository, path));
  if (check) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes CRDs of kinds that no longer exist. */
function removeOthers(names: readonly string[]): void {
  for (const name of readdirSync(crdFolder).filter((file) => !names.includes(file))) {
    stale.push(relative(repository, join(crdFolder, name)));
    if (!check) rmSync(join(crdFolder, name));
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
