/** Runs the worked cases that are stored next to the project, if they and Python exist. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, sharedPath, test } from '@meshrelay/testing';

const checks = sharedPath('checks', 'cases.py');
const examples = sharedPath('examples');
const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.log('SKIPPED needs python3');

if (checks !== undefined && examples !== undefined && python) {
  const cases = readdirSync(examples).map((name) => join(examples, name));

  test(`all ${cases.length} worked cases pass`, () => {
    const meshctl = fileURLToPath(new URL('../../../bin/meshctl', import.meta.url));
    const { stdout, stderr } = spawnSync('python3', [checks, '--meshctl', meshctl, ...cases], { encoding: 'utf8' });
    assert.is(stdout.trimEnd().split('\n').at(-1), `${cases.length} passed, 0 failed`, `${stdout}${stderr}`);
  });
} else {
  test('there is nothing to run', () => undefined);
}

test.run();
