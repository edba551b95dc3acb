/** Each wrong translation still matches the product's source, and its scenario exists. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { mutated } from '@meshrelay/testing/source-mutant';
import { MUTANTS } from './mutants/mutants.ts';
import { allScenarios } from './scenario/scenario.ts';

for (const mutant of MUTANTS)
  test(`${mutant.name}: the replaced text occurs once in ${mutant.file}`, () => {
    const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), 'utf8');
    assert.is.not(mutated(mutant, source), source);
  });

test('mutants name existing scenarios', () => {
  const names = allScenarios().map(({ file, name }) => `${file}: ${name}`);
  const named = MUTANTS.flatMap(({ scenario }) => scenario ?? []);
  assert.equal(
    named.filter((name) => !names.includes(name)),
    [],
  );
});

test.run();
