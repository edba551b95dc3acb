/** Each way in which a test file can fail, with real processes: none may pass. */
import { existsSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { type Lane, lanes } from '../../runner/lane.ts';
import { type FileRun, runFiles } from '../../runner/run-files.ts';
import { type FileResult, WorkerProcess } from '../../runner/worker-process.ts';
import { fixtures } from './fixtures.ts';

/** Long enough to load a file on a busy machine. */
const LIMITS = { deadline: 20_000, linger: 200, leftover: 200 };

async function run(lane: Lane, name: string, limits = LIMITS): Promise<FileResult> {
  const worker = await WorkerProcess.start(fixtures, lane);
  return worker.run(`${name}.test.ts`, limits).finally(() => worker.end());
}

async function runAll(lane: Lane, names: readonly string[]): Promise<FileResult[]> {
  const runs = names.map((name): FileRun => ({ lane, file: `${name}.test.ts` }));
  return runFiles(runs, { root: fixtures, jobs: 1, limits: LIMITS, ended: () => {} });
}

for (const lane of lanes) {
  test(`${lane.name}: a file that passes, passes`, async () => {
    const { passed, failed, skipped, problems } = await run(lane, 'passes');
    assert.equal({ passed, failed, skipped, problems }, { passed: 2, failed: 0, skipped: 0, problems: [] });
  });

  test(`${lane.name}: a failed test is counted and shown, with its line`, async () => {
    const { passed, failed, failures, problems, output } = await run(lane, 'fails');
    assert.equal({ passed, failed, problems }, { passed: 1, failed: 1, problems: [] });
    assert.match(output, /FAIL.*wrong/);
    assert.is(failures.length, 1);
    assert.match(failures[0]?.at ?? '', /fails\.test\.ts:\d+$/);
  });

  test(`${lane.name}: a hang and an endless loop are ended at the deadline`, async () => {
    const results = await Promise.all(
      ['hangs', 'spins'].map((name) => run(lane, name, { ...LIMITS, deadline: 4_000 })),
    );
    assert.equal(
      results.flatMap((result) => result.problems),
      ['hanging one', 'spinning one'].map((name) => `did not end within 4 s, killed while running "${name}"`),
    );
  });

  test(`${lane.name}: what a killed file has created in the temporary folder is deleted`, async () => {
    const { output } = await run(lane, 'leaves-folder', { ...LIMITS, deadline: 4_000 });
    const [, folder = ''] = /folder (.*)\.\n/.exec(output) ?? [];
    assert.match(folder, /left-/);
    assert.not(existsSync(folder));
  });

  test(`${lane.name}: files share a process, except those that need their own`, async () => {
    const results = await runAll(lane, ['shared-process-a', 'own-process', 'shared-process-b']);
    const [first, own, second] = results.map(({ output }) => /process (\d+)/.exec(output)?.[1]);
    assert.is(first, second);
    assert.is.not(first, own);
  });
}

/** The file fails with one problem, which the pattern describes; the next file still passes. */
function refuses(title: string, name: string, problem: RegExp, where = lanes): void {
  for (const lane of where) {
    test(`${lane.name}: ${title}`, async () => {
      const [result, next] = await runAll(lane, [name, 'passes']);
      assert.ok((result?.failed ?? 0) > 0, `${name} passed: ${result?.output}`);
      assert.is(result?.problems.length, 1, result?.problems.join('\n'));
      assert.match(result?.problems[0] ?? '', problem);
      assert.is(next?.failed, 0, next?.output);
    });
  }
}

const inNode = lanes.slice(0, 1);
refuses('a file without tests', 'no-tests', /^no tests/, inNode);
refuses('a file without test.run()', 'no-run', /must end with test\.run\(\)/);
refuses('a suite that is never run', 'partly-run', /^1 tests never ran/, inNode);
refuses('test.only', 'focused', /^test\.only\("alone"\)/, inNode);
refuses('a file that does not load', 'throws-on-load', /exit code 1 while loading the file$/);
refuses('a crash', 'crashes', /ended by SIGKILL while running "crashing one"$/, inNode);
refuses('an early exit 0', 'exits-early', /exit code 0 while running "leaving one"$/, inNode);
refuses('a promise that never resolves', 'waits-for-nothing', /exit code \d+ while running "forgotten promise"$/);
refuses('an unhandled rejection', 'unhandled-rejection', /exit code 1 while running "careless one"$/);
refuses('an unhandled rejection after the tests', 'late-rejection', /exit code 1 after the tests had ended$/);
refuses('a server left open', 'lingers', /^the tests ended but work is left in the event loop/);
refuses('a process left running', 'leaves-process', /^left processes running/);

test('the report names state that a file changes for later files', async () => {
  const [result, next] = await runAll(inNode[0] as Lane, ['changes-process', 'passes']);
  assert.equal(result?.problems, [
    'changed process.env.MESHRELAY_FIXTURE for the files after it: restore it',
    'changed Date.now for the files after it: restore it',
  ]);
  assert.is(next?.failed, 0);
});

test('a file that reports a missing requirement is skipped, not failed', async () => {
  const { passed, failed, skipped, skips } = await run(inNode[0] as Lane, 'skips-itself');
  assert.equal({ passed, failed, skipped }, { passed: 0, failed: 0, skipped: 1 });
  assert.equal(skips, ['needs shared data: nowhere']);
});

test('a hook that throws is a failure', async () => {
  const { passed, failed } = await run(inNode[0] as Lane, 'hook-throws');
  assert.equal({ passed, failed }, { passed: 0, failed: 1 });
});

test('an error names a missing runtime', async () => {
  const lane = { name: 'none', command: ['no-such-runtime'] as const, accepts: () => true };
  const error = await WorkerProcess.start(fixtures, lane).then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(error?.message ?? '', /cannot start no-such-runtime: .*ENOENT.*npm test/);
});

test.run();
