/** `meshctl plugin`: a new package, and a plugin that runs again when it changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { VIEW_FIELDS } from '@meshrelay/relay-core';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctl } from './support/run.ts';

/** A plugin that needs no package. */
const LAMP = {
  name: 'lamp',
  contract: 1,
  watches: [],
  writes: [],
  capabilities: Object.fromEntries(VIEW_FIELDS.map((field) => [field, { unsupported: 'lamps only shine' }])),
};

test('new creates a package, and names a folder that has files', async () => {
  using folder = temporaryFolder();
  const { code, stdout } = await meshctl(['plugin', 'new', 'lamp'], folder.path);
  assert.equal([code, existsSync(join(folder.path, 'lamp/src/lamp.ts'))], [0, true]);
  assert.match(stdout, 'npm install');
  const again = await meshctl(['plugin', 'new', 'lamp'], folder.path);
  assert.equal([again.code, again.stderr.includes('lamp has files already')], [1, true], again.stderr);
});

test('dev runs a plugin again when it changes, and prints its faults', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'policy.yaml': policy('slow', '{requestTimeout: 1s}') });
  mkdirSync(join(folder.path, 'src'));
  const module = join(folder.path, 'src/lamp.ts');
  writeFileSync(module, `export default { ...${JSON.stringify(LAMP)}, discover() {} };\n`);
  const args = ['--plugin', './src/lamp.ts', '--cluster', 'east=cluster.yaml', '--config', 'policy.yaml'];
  const child = spawn(process.execPath, [builtProgram('meshctl'), 'plugin', 'dev', ...args], {
    cwd: folder.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const seen = { deadline: 120_000, seen: () => output };
  try {
    await eventually('it waits', () => output.includes('waiting for changes in'), seen);
    assert.match(output, '$ meshctl discover --cluster east=cluster.yaml --plugin ./src/lamp.ts');
    assert.match(output, '$ meshctl translate --cluster east=cluster.yaml --config policy.yaml');
    output = '';
    writeFileSync(module, `${readFileSync(module, 'utf8')}\nthrow new Error('broken on purpose');\n`);
    await eventually('it runs again', () => output.includes('waiting for changes in'), seen);
    assert.match(output, 'lamp.ts changed');
    assert.match(output, 'broken on purpose');
  } finally {
    child.kill();
    await ended;
  }
});

test.run();
