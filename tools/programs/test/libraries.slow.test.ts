/** The libraries in the programs: few enough, each with its reason, and as docs/reference/libraries.md lists them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { type ProgramName, ROOT } from '../src/programs.ts';
import { LIMITS, libraries, librariesOf, librariesPage } from './libraries.ts';

const PAGE = join(ROOT, 'docs/reference/libraries.md');
const UPDATE = 'run: MESHRELAY_GOLDEN=update npm test -- --suite=slow programs/test/libraries';

using folder = temporaryFolder();
const byProgram = new Map(
  (Object.keys(LIMITS) as (keyof typeof LIMITS & ProgramName)[]).map(
    (program) => [program, librariesOf(ROOT, program, join(folder.path, program))] as const,
  ),
);
const all = libraries(byProgram);

for (const [program, some] of byProgram)
  test(`${program} contains at most ${LIMITS[program]} libraries`, () =>
    assert.ok(some.length <= LIMITS[program], some.map(({ name }) => name).join(', ')));

test('each has a reason: one in tools/programs/test/libraries.ts, or a library that needs it', () => {
  const unexplained = all.filter(({ reason }) => reason === '').map(({ name }) => name);
  assert.equal(unexplained, []);
});

test('each has a licence', () => {
  const unlicensed = all.filter(({ licence }) => licence === '').map(({ name }) => name);
  assert.equal(unlicensed, []);
});

test('docs/reference/libraries.md lists them', () => {
  const text = librariesPage(all, new Map([...byProgram].map(([program, some]) => [program, some.length])));
  if (process.env['MESHRELAY_GOLDEN'] === 'update') writeFileSync(PAGE, text);
  assert.is(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', text, UPDATE);
});

test.run();
