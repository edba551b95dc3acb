/** Each way in which a test file can go wrong, run for real: none may pass. */
import { assert, test } from '@meshrelay/testing';
import { lanes } from '../../runner/lane.ts';
import { type FileResult, runFile } from '../../runner/run-file.ts';
import { fixtures } from './fixtures.ts';

/** Long enough to load a file on a busy machine. */
const LIMITS = { deadline: 20_000, linger: 200, leftover: 200 };

for (const lane of lanes) {
  const run = (name: string, limits = LIMITS): Promise<FileResult> =>
    runFile(fixtures, lane, `${name}.test.ts`, limits);

  /** The file fails with one problem, which the pattern describes. */
  const refuses = (title: string, name: string, problem: RegExp): void => {
    test(`${lane.name}: ${title}`, async () => {
      const result = await run(name);
      assert.ok(result.failed > 0, `${name} passed: ${result.output}`);
      assert.is(result.problems.length, 1, result.problems.join('\n'));
      assert.match(result.problems[0] ?? '', problem);
    });
  };

  test(`${lane.name}: a file that passes, passes`, async () => {
    const { passed, failed, skipped, problems } = await run('passes');
    assert.equal({ passed, failed, skipped, problems }, { passed: 2, failed: 0, skipped: 0, problems: [] });
  });

  test(`${lane.name}: a failed test is counted and shown`, async () => {
    const { passed, failed, problems, output } = await run('fails');
    assert.equal({ passed, failed, problems }, { passed: 1, failed: 1, problems: [] });
    assert.match(output, /FAIL.*wrong/);
  });

  test(`${lane.name}: a file that says what it lacks is skipped, not failed`, async () => {
    const { passed, failed, skipped, skips } = await run('skips-itself');
    assert.equal({ passed, failed, skipped }, { passed: 0, failed: 0, skipped: 1 });
    assert.equal(skips, ['needs shared data: nowhere']);
  });

  test(`${lane.name}: a hook that throws is a failure`, async () => {
    const { passed, failed } = await run('hook-throws');
    assert.equal({ passed, failed }, { passed: 0, failed: 1 });
  });

  refuses('a file without tests', 'no-tests', /^no tests/);
  refuses('a file without test.run()', 'no-run', /must end with test\.run\(\)/);
  refuses('a suite that is never run', 'partly-run', /^1 tests never ran/);
  refuses('test.only', 'focused', /^test\.only\("alone"\)/);
  refuses('a file that does not load', 'throws-on-load', /exit code 1 while loading the file$/);
  refuses('a crash', 'crashes', /ended by SIGKILL while running "crashing one"$/);
  refuses('an early exit 0', 'exits-early', /exit code 0 while running "leaving one"$/);
  refuses('a promise that never resolves', 'waits-for-nothing', /exit code \d+ while running "forgotten promise"$/);
  refuses('an unhandled rejection', 'unhandled-rejection', /exit code 1 while running "careless one"$/);
  refuses('an unhandled rejection after the tests', 'late-rejection', /exit code 1 after the tests had ended$/);
  refuses('a server left open', 'lingers', /^the tests ended but the process did not/);
  refuses('a process left running', 'leaves-process', /^left processes running/);

  test(`${lane.name}: a hang and an endless loop are ended at the deadline`, async () => {
    const names = ['hangs', 'spins'];
    const results = await Promise.all(names.map((name) => run(name, { ...LIMITS, deadline: 4_000 })));
    assert.equal(
      results.flatMap((result) => result.problems),
      ['hanging one', 'spinning one'].map((name) => `did not end within 4 s, killed while running "${name}"`),
    );
  });
}

test('a runtime that is not there is named', async () => {
  const lane = { name: 'none', command: ['no-such-runtime'] as const, accepts: () => true };
  const error = await runFile(fixtures, lane, 'passes.test.ts', LIMITS).then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(error?.message ?? '', /cannot start no-such-runtime: .*ENOENT.*npm test/);
});

test.run();
