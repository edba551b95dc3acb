// Writes src/gen/relay.ts from the .proto with protobufjs' static generator. `--check` only compares.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

const packageFolder = resolve(import.meta.dirname, '..');
const proto = 'proto/meshrelay/relay/v1/relay.proto';
const output = join(packageFolder, 'src/gen/relay.ts');
const pbjs = join(dirname(createRequire(import.meta.url).resolve('protobufjs-cli/package.json')), 'bin/pbjs');
// Objects are passed as plain objects; only encode and decode are needed.
const flags = [
  '--no-create',
  '--no-verify',
  '--no-convert',
  '--no-delimited',
  '--no-typeurl',
  '--no-service',
  '--no-comments',
];

const generated = execFileSync(
  process.execPath,
  [pbjs, '-t', 'static-module', '-w', 'es6', '-r', 'meshrelay.relay.v1', ...flags, proto],
  {
    cwd: packageFolder,
    encoding: 'utf8',
  },
);
const text = asTypeScript(generated);
if (process.argv.includes('--check')) {
  if (readIfThere(output) !== text) {
    process.stderr.write(
      'out of date: packages/relay-protocol/src/gen/relay.ts\nrun: node packages/relay-protocol/scripts/generate.ts\n',
    );
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, text);
}

/**
 * The generator writes JavaScript. It becomes valid TypeScript once its one export has a type and type checks are off.
 */
function asTypeScript(javascript: string): string {
  const typed = annotate(
    annotate(javascript, 'export const meshrelay', 'GeneratedRoot'),
    'const $root',
    'Record<string, any>',
  );
  return [
    `// Generated from ${proto} by scripts/generate.ts; run that to regenerate it.`,
    '// @ts-nocheck',
    "import type { GeneratedRoot } from '../codec/wire.ts';",
    typed,
  ].join('\n');
}

function annotate(text: string, declaration: string, type: string): string {
  const parts = text.split(`${declaration} = `);
  if (parts.length !== 2)
    throw new Error(`expected one "${declaration}" in what the generator wrote, found ${parts.length - 1}`);
  return parts.join(`${declaration}: ${type} = `);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
