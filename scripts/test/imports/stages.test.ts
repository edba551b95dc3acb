/** The order of stages: imports against it, and names without a place in it, are rejected. */
import { assert, test } from '@meshrelay/testing';
import { checkStages } from '../../imports/stages.ts';

const STAGES = { 'core/src': ['input', 'output', 'mod.ts'] };
const FILES = ['core/src/input/a.ts', 'core/src/output/b.ts', 'core/src/mod.ts', 'core/test/a.test.ts'];

function check(file: string, specifier: string, files: readonly string[] = FILES): string[] {
  return checkStages([{ file, specifier, typeOnly: true }], files, STAGES);
}

test('a stage may import earlier stages and itself', () => {
  assert.equal(check('core/src/output/b.ts', '../input/a.ts'), []);
  assert.equal(check('core/src/output/b.ts', './c.ts'), []);
  assert.equal(check('core/src/mod.ts', './output/b.ts'), []);
});

test('an import of a later stage is rejected, types included', () => {
  assert.equal(check('core/src/input/a.ts', '../output/b.ts'), [
    'core/src/input/a.ts: imports ../output/b.ts from a later stage (input comes before output in core/src); move what both need into input or an earlier stage',
  ]);
  assert.is(check('core/src/output/b.ts', '../mod.ts').length, 1);
});

test('files outside the folder have no order', () => {
  assert.equal(check('core/test/a.test.ts', '../src/mod.ts'), []);
  assert.equal(check('core/src/input/a.ts', '@scope/output'), []);
});

test('every folder and file needs a place among the stages', () => {
  const [problem] = check('core/src/mod.ts', './output/b.ts', [...FILES, 'core/src/status/c.ts']);
  assert.match(problem ?? '', /^core\/src\/status: has no place among the stages/);
});

test('every place needs a file', () => {
  const [problem] = check('core/src/mod.ts', './output/b.ts', ['core/src/output/b.ts', 'core/src/mod.ts']);
  assert.match(problem ?? '', /^core\/src\/input: does not exist/);
});

test.run();
