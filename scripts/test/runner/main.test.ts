/** The runner as a whole: its last output and its exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { main } from '../../runner/main.ts';
import { fixtures } from './fixtures.ts';

async function run(...args: string[]): Promise<{ code: number; lines: string[]; last: string }> {
  const printed: string[] = [];
  const code = await main(args, { print: (line) => void printed.push(line) });
  const lines = printed.join('\n').split('\n');
  return { code, lines, last: lines.at(-1) ?? '' };
}

test('files that pass: exit 0 and the sum alone on the last line', async () => {
  const { code, last } = await run('--root', fixtures, 'passes', 'skips-itself');
  assert.equal({ code, last }, { code: 0, last: '2 passed, 0 failed' });
});

test('one file that fails: exit 1, its output, and the sum', async () => {
  const { code, lines, last } = await run('--root', fixtures, 'passes', '/fails', 'fails.test.ts');
  assert.is(code, 1);
  assert.ok(lines.some((line) => line.includes('no test file has "/fails"')));
  assert.is(last, '0 passed, 1 failed');
  const second = await run('--root', fixtures, 'passes', 'fails.test.ts');
  assert.equal({ code: second.code, last: second.last }, { code: 1, last: '3 passed, 1 failed' });
  assert.ok(
    second.lines.some((line) => /^FAILED \(node\) fails\.test\.ts:\d+: wrong: /.test(line)),
    second.lines.join('\n'),
  );
});

test('a failure is reported with its line, and so is a problem of the whole file', async () => {
  const { lines } = await run('--root', fixtures, 'fails.test.ts', 'no-run');
  assert.ok(lines.includes('FAILED (node) no-run.test.ts: no suite ran: the file must end with test.run()'));
});

test('on a terminal one line shows the running files, and is removed at the end', async () => {
  const drawn: string[] = [];
  const code = await main(['--root', fixtures, '--jobs=1', 'passes'], {
    print: () => {},
    redraw: (text) => void drawn.push(text),
  });
  assert.is(code, 0);
  assert.equal(drawn, ['0/1 files: passes.test.ts (node)', '1/1 files: ', '']);
});

test('skipped work is listed by reason', async () => {
  const { lines } = await run('--root', fixtures, 'skips-itself');
  assert.ok(lines.includes('1 skipped'), lines.join('\n'));
  assert.ok(lines.includes('  1 x needs shared data: nowhere'), lines.join('\n'));
});

test('a pattern that matches nothing fails, even with another that matches', async () => {
  const { code, lines, last } = await run('--root', fixtures, 'passes', 'no-such-file');
  assert.equal({ code, last }, { code: 1, last: '0 passed, 1 failed' });
  assert.ok(lines.some((line) => line.includes('"no-such-file"')));
});

test('a checkout without test files fails', async () => {
  using folder = temporaryFolder();
  const { code, last } = await run('--root', folder.path);
  assert.equal({ code, last }, { code: 1, last: '0 passed, 1 failed' });
});

test('a lane in which nothing runs fails', async () => {
  const { code, last } = await run('--root', fixtures, '--lane=deno', 'passes');
  assert.equal({ code, last }, { code: 1, last: '0 passed, 1 failed' });
});

test('slow files run only on request', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'long.slow.test.ts'), 'throw new Error("ran");\n');
  assert.is((await run('--root', folder.path)).last, '0 passed, 1 failed');
  const { lines } = await run('--root', folder.path, '--suite=slow');
  assert.ok(
    lines.some((line) => line.includes('long.slow.test.ts (node): 0 passed, 1 FAILED')),
    lines.join('\n'),
  );
});

for (const args of [['--no-such-flag'], ['--suite=none'], ['--lane=bun'], ['--jobs=0'], ['--deadline=soon']]) {
  test(`rejects ${args.join(' ')}`, async () => {
    const { code, lines, last } = await run(...args);
    assert.equal({ code, last }, { code: 2, last: '0 passed, 1 failed' });
    assert.ok(lines.some((line) => line.startsWith('usage:')));
  });
}

test.run();
