/** CI's parallel suites: failures, order and measurements. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { describeResults } from '../../ci/report.ts';
import { countsOf, cpuSecondsOf, runSuites, type SuiteResult } from '../../ci/run-suites.ts';
import { type Suite, suites } from '../../ci/suites.ts';

const node = (title: string, source: string, after?: string): Suite => ({
  title,
  command: [process.execPath, '-e', source],
  ...(after === undefined ? {} : { after }),
});

async function run(...of: readonly Suite[]): Promise<{ results: SuiteResult[]; ended: string[] }> {
  using folder = temporaryFolder();
  const ended: string[] = [];
  const results = await runSuites(of, {
    root: folder.path,
    jobs: 3,
    began: () => {},
    ended: ({ title }) => void ended.push(title),
  });
  return { results, ended };
}

test('the last line has the counts; without it a suite is one check', () => {
  assert.equal(countsOf('first\n3 passed, 0 failed\n', 0), { passed: 3, failed: 0 });
  assert.equal(countsOf('3 passed, 2 failed\n', 1), { passed: 3, failed: 2 });
  assert.equal(countsOf('all fine\n', 0), { passed: 1, failed: 0 });
});

test('a bad exit is a failure, whatever the last line contains', () => {
  assert.equal(countsOf('3 passed, 0 failed\n', 1), { passed: 3, failed: 1 });
  assert.equal(countsOf('', 137), { passed: 0, failed: 1 });
});

test("CPU seconds are those of the children in bash's report", () => {
  assert.is(cpuSecondsOf('0m0.004s 0m0.002s\n2m3.500s 0m1.250s\n'), 124.75);
});

test('real suites: counts, exit codes, output of both streams', async () => {
  const { results } = await run(
    node('good', "console.log('2 passed, 0 failed')"),
    node('bad', "console.error('why'); process.exit(3)"),
  );
  assert.equal(
    results.map(({ title, passed, failed, exitCode }) => [title, passed, failed, exitCode]),
    [
      ['good', 2, 0, 0],
      ['bad', 0, 1, 3],
    ],
  );
  assert.is(results[1]?.output, 'why\n');
  assert.ok((results[0]?.cpuSeconds ?? 0) > 0, 'CPU is measured');
  const lines = describeResults(results, 1).split('\n');
  assert.is(lines.at(-1), '2 passed, 1 failed');
  assert.ok(lines.includes('bad: 1 failed'), lines.join('\n'));
});

test('a failure is reported while its suite still runs, as one line', async () => {
  using folder = temporaryFolder();
  const reports: string[] = [];
  const wait = "const wait = () => require('node:fs').existsSync('reported') || setTimeout(wait, 5); wait();";
  const write = "process.stdout.write('a.test.ts: 1 FAI'); setTimeout(() => console.log('LED (1 s)'), 20);";
  await runSuites([node('slow', `${write} ${wait}`), node('good', "console.log('0 failed')")], {
    root: folder.path,
    jobs: 2,
    began: () => {},
    ended: ({ title }) => void reports.push(`${title} ended`),
    failing: ({ title }, line) => {
      reports.push(`${title}: ${line}`);
      writeFileSync(join(folder.path, 'reported'), '');
    },
  });
  const ofSlow = reports.filter((report) => report.startsWith('slow'));
  assert.equal(ofSlow, ['slow: a.test.ts: 1 FAILED (1 s)', 'slow ended']);
  assert.equal(reports.length, 3);
});

test('a suite begins only when the one that it follows has ended', async () => {
  const { ended } = await run(node('first', 'setTimeout(() => {}, 300)'), node('second', '', 'first'));
  assert.equal(ended, ['first', 'second']);
});

test('a suite waits for one that is waiting itself', async () => {
  const { ended } = await run(
    node('first', 'setTimeout(() => {}, 300)'),
    node('second', 'setTimeout(() => {}, 300)', 'first'),
    node('third', '', 'second'),
  );
  assert.equal(ended, ['first', 'second', 'third']);
});

test('a suite that must wait holds up no other', async () => {
  const wait = "const wait = () => require('node:fs').existsSync('last') || setTimeout(wait, 5); wait();";
  const { ended } = await run(
    node('first', wait),
    node('second', '', 'first'),
    node('third', '', 'first'),
    node('last', "require('node:fs').writeFileSync('last', '')"),
  );
  // Otherwise the first would never end. It may end before the last, which has only written its file.
  assert.equal(ended.toSorted(), ['first', 'last', 'second', 'third']);
});

test('a suite follows only one that stands before it', () => {
  for (const [index, { title, after }] of suites.entries()) {
    const earlier = suites.slice(0, index).map((suite) => suite.title);
    assert.ok(after === undefined || earlier.includes(after), title);
  }
});

test.run();
