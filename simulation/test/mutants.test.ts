/** Each mutant still matches the product's source. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { mutated } from '@meshrelay/testing/source-mutant';
import { MUTANTS } from '../src/mutants/mutants.ts';

for (const mutant of MUTANTS)
  test(`${mutant.name}: the replaced text occurs once in ${mutant.file}`, () => {
    const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), 'utf8');
    assert.is.not(mutated(mutant, source), source);
  });

test.run();
