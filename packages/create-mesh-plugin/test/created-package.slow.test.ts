/** A created package type-checks, passes its tests and its linter at once. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';

const root = join(import.meta.dirname, '../../..');

test('a created package type-checks, lints and passes its tests', () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'lamp');
  const run = (args: readonly string[], cwd = target) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };
  const created = run([join(import.meta.dirname, '../src/main.ts'), 'lamp'], folder.path);
  assert.equal([created.status, created.output.includes('npm test')], [0, true], created.output);
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(target, 'node_modules'));
  for (const args of [
    [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'],
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '.'],
    ['--test', '--test-reporter=tap', 'test/**/*.test.ts'],
  ]) {
    const { status, output } = run(args);
    assert.is(status, 0, output.slice(-4000));
    if (args[0] !== '--test') continue;
    const [, passed = '0'] = /^# pass (\d+)$/m.exec(output) ?? [];
    assert.ok(Number(passed) > 50, output.slice(-1000));
  }
});

test('bad arguments print the usage or the fault, and create nothing', () => {
  using folder = temporaryFolder();
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../src/main.ts'), ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    });
  assert.equal([run().status, run().stderr], [1, 'usage: npm create @meshrelay/mesh-plugin NAME [FOLDER]\n']);
  const bad = run('Bad');
  assert.equal([bad.status, bad.stderr.split(';')[0]], [1, 'the mesh is named "Bad"']);
});

test.run();
