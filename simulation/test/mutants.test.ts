/** Each mutant has its place in the product still. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { MUTANTS } from '../src/mutants/mutants.ts';

for (const { name, file, find } of MUTANTS)
  test(`${name}: what it takes out stands once in ${file}`, () => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    assert.is(source.split(find).length - 1, 1);
  });

test.run();
