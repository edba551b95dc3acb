/** Which Nodes run the sources, and installing a tool without a network, with a fake npm. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { BootstrapError } from '../../bootstrap/step.mjs';
import { hasTool, installTool, removeUnfinished, runsSources } from '../../bootstrap/tools.mjs';

const TOOL = {
  name: 'tool',
  version: '1.2.3',
  npmPackage: 'tool',
  native: { folder: '@tool', prefix: 'exe.', path: 'tool' },
};

for (const [version, good] of [
  ['18.0.0', false],
  ['20.20.2', false],
  ['22.23.3', false],
  ['23.11.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
] as const) {
  test(`Node ${version} ${good ? 'runs' : 'does not run'} the sources`, () => {
    assert.is(runsSources(version), good);
  });
}

test('a tool is installed once it is complete, by a link to the native program', async () => {
  using checkout = temporaryFolder();
  await withNpm(
    checkout.path,
    'mkdir -p "$4/node_modules/@tool/exe.here" && touch "$4/node_modules/@tool/exe.here/tool"',
  );
  assert.ok(hasTool(checkout.path, TOOL));
  const bin = join(checkout.path, '.cache/tools/tool-1.2.3/bin/tool');
  assert.is(readlinkSync(bin), '../node_modules/@tool/exe.here/tool');
});

test('a failed installation reports the command and what to do, and leaves nothing', async () => {
  using checkout = temporaryFolder();
  const error = await withNpm(checkout.path, 'echo "registry says no" >&2; exit 7');
  assert.instance(error, BootstrapError);
  assert.match(error?.message ?? '', /exit code 7/);
  assert.match(error?.message ?? '', /command: npm install tool@1\.2\.3/);
  assert.match(error?.message ?? '', /registry says no/);
  assert.match(error?.message ?? '', /What to do: /);
  assert.not(hasTool(checkout.path, TOOL));
  assert.equal(readdirSync(join(checkout.path, '.cache/tools')), []);
});

test('an error names a platform without a program', async () => {
  using checkout = temporaryFolder();
  const error = await withNpm(checkout.path, 'mkdir -p "$4/node_modules"');
  assert.instance(error, BootstrapError);
  assert.match(error?.message ?? '', new RegExp(`no program for ${process.platform}-${process.arch}`));
});

test('a machine without npm gets an error', async () => {
  using checkout = temporaryFolder();
  const error = await installWith(checkout.path, join(checkout.path, 'nothing-here'));
  assert.match(error?.message ?? '', /npm was not found on PATH/);
});

test('remains of killed installations are removed, complete ones stay', () => {
  using checkout = temporaryFolder();
  const tools = join(checkout.path, '.cache/tools');
  for (const name of ['.unfinished-a1b2c3', 'node-1.0.0']) mkdirSync(join(tools, name), { recursive: true });
  removeUnfinished(checkout.path);
  assert.equal(readdirSync(tools), ['node-1.0.0']);
});

/** Installs the tool with an npm that is a shell script; its arguments are `install tool@1.2.3 --prefix FOLDER ...`. */
async function withNpm(checkout: string, script: string): Promise<Error | undefined> {
  const bin = join(checkout, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  assert.ok(existsSync(join(bin, 'npm')));
  return installWith(checkout, `${bin}:${process.env['PATH']}`);
}

async function installWith(checkout: string, path: string): Promise<Error | undefined> {
  const before = process.env['PATH'];
  process.env['PATH'] = path;
  try {
    await installTool(checkout, TOOL);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    process.env['PATH'] = before;
  }
}

test.run();
