/** The demo's command line, in the cases that start nothing. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
}

for (const [what, args, says] of [
  ['an unknown flag', ['--onse'], "demo: Unknown option '--onse'"],
  ['a word', ['--once', 'extra'], "demo: Unexpected argument 'extra'"],
  ['an unknown runtime', ['--runtime', 'bun'], 'demo: --runtime bun is unknown; use node or deno'],
  ['a value where none belongs', ['--json=yes'], "Option '--json' does not take an argument"],
] as const) {
  test(`${what} prints one line and the usage, and nothing starts`, () => {
    const { code, stdout, stderr } = run(...args);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, says);
    assert.match(stderr, 'usage: npm run demo');
    assert.not.match(stderr, '\n    at ');
  });
}

test('--help shows the usage', () => {
  const { code, stdout, stderr } = run('--help');
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, '--once');
});

test.run();
