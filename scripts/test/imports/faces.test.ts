/** Faces of folders: imports past them are rejected. */
import { assert, test } from '@meshrelay/testing';
import { checkFaces } from '../../imports/faces.ts';

const FACES = { 'core/src/input': ['mod.ts', 'types.ts'], 'core/src/input/kinds': ['mod.ts'] };
const FILES = ['core/src/input/mod.ts', 'core/src/input/types.ts', 'core/src/input/kinds/mod.ts'];

function check(file: string, specifier: string, files: readonly string[] = FILES): string[] {
  return checkFaces([{ file, specifier, typeOnly: true }], files, FACES);
}

test('other folders may import the faces of a folder', () => {
  assert.equal(check('core/src/output/b.ts', '../input/mod.ts'), []);
  assert.equal(check('core/src/mod.ts', './input/types.ts'), []);
  assert.equal(check('core/src/input/a.ts', './kinds/mod.ts'), []);
});

test('another file of the folder is rejected, types included', () => {
  assert.equal(check('core/src/output/b.ts', '../input/a.ts'), [
    'core/src/output/b.ts: imports ../input/a.ts, which is internal to core/src/input; import what mod.ts or types.ts there exports, or export it there',
  ]);
  assert.is(check('core/src/input/a.ts', './kinds/pod.ts').length, 1);
});

test('the face of an inner folder is internal to the outer one', () => {
  assert.match(check('core/src/output/b.ts', '../input/kinds/mod.ts').join(), 'internal to core/src/input;');
});

test('files of the folder, tests and other packages have no limit', () => {
  assert.equal(check('core/src/input/a.ts', './b.ts'), []);
  assert.equal(check('core/test/input/a.test.ts', '../../src/input/a.ts'), []);
  assert.equal(check('core/src/output/b.ts', '@scope/input'), []);
});

test('a face that does not exist is rejected', () => {
  assert.match(
    check('core/src/mod.ts', './input/mod.ts', FILES.slice(1)).join(),
    /^core\/src\/input\/mod\.ts: does not/,
  );
});

test.run();
