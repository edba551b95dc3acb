/**
 * Generates src/gen from proto/ with protoc-gen-es: the messages, a module for each proto package, and `made-of.json`
 * with the hashes of inputs and outputs. `--check` compares those hashes, which is fast; in CI it regenerates and
 * compares every file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { compile, VERSIONS } from './compile.ts';
import { hashOf, readTree } from './file-tree.ts';
import { NAMESPACES } from './namespaces.ts';
import { FILE_DESC, withOwnFileDesc } from './own-file-desc.ts';
import { packageModules } from './package-modules.ts';

const packageFolder = resolve(import.meta.dirname, '..');
const generated = join(packageFolder, 'src/gen');
const MADE_OF = 'made-of.json';

const protos = readTree(join(packageFolder, 'proto'));
const inputs = hashOf(
  new Map([...protos, ['namespaces', JSON.stringify(NAMESPACES)], ['versions', VERSIONS], ['fileDesc', FILE_DESC]]),
);

if (!process.argv.includes('--check')) write(generate());
else if (!isAsGenerated() || (process.env['CI'] === 'true' && hashOf(generate()) !== hashOf(readTree(generated)))) {
  process.stderr.write('out of date: packages/envoy-api/src/gen\nrun: node packages/envoy-api/scripts/generate.ts\n');
  process.exitCode = 1;
}

/** Whether the files were generated from these inputs, by their hashes. */
function isAsGenerated(): boolean {
  const there = readTree(generated);
  const text = there.get(MADE_OF);
  there.delete(MADE_OF);
  return text === madeOf(hashOf(there));
}

function generate(): Map<string, string> {
  const work = mkdtempSync(join(tmpdir(), 'envoy-api-'));
  try {
    compile(packageFolder, work);
    const files = new Map([...withOwnFileDesc(readTree(work)), ...packageModules(protos, NAMESPACES)]);
    return files.set(MADE_OF, madeOf(hashOf(files)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function madeOf(outputs: string): string {
  return `${JSON.stringify({ inputs, outputs }, undefined, 2)}\n`;
}

function write(files: ReadonlyMap<string, string>): void {
  rmSync(generated, { recursive: true, force: true });
  for (const [path, text] of files) {
    const file = join(generated, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
