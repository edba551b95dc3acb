/** Which files count as tests, and which of them patterns select. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { findTestFiles, select } from '../../runner/discover.ts';

test('finds tests in any folder, except in dependencies, build outputs or fixtures', () => {
  using folder = temporaryFolder();
  const files = [
    'packages/a/test/b/one.test.ts',
    'packages/a/src/odd.test.ts',
    'packages/a/test/two.slow.test.ts',
    'packages/a/test/helper.ts',
    'packages/a/node_modules/b/test/three.test.ts',
    'packages/a/dist/four.test.ts',
    'scripts/test/fixtures/five.test.ts',
    '.cache/six.test.ts',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true });
    writeFileSync(join(folder.path, file), '');
  }
  assert.equal(findTestFiles(folder.path), ['packages/a/src/odd.test.ts', 'packages/a/test/b/one.test.ts']);
  assert.equal(findTestFiles(folder.path, { suite: 'slow' }), ['packages/a/test/two.slow.test.ts']);
});

test('patterns are alternatives, and those without a match are reported', () => {
  const files = ['packages/api/test/a.test.ts', 'packages/pki/test/b.test.ts', 'packages/store/test/c.test.ts'];
  assert.equal(select(files, []), { selected: files, unmatched: [] });
  assert.equal(select(files, ['pki', 'a.test', 'x']), { selected: files.slice(0, 2), unmatched: ['x'] });
});

test.run();
