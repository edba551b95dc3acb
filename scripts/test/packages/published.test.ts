/** Files of a build that no longer belong to it. */
import { assert, test } from '@meshrelay/testing';
import { PACKED, staleFiles } from '../../packages/published.ts';

const files = (...names: readonly string[]) => names.map((name) => ({ name: `${PACKED}/${name}`, data: '' }));

test('a compiled file without its source is stale', () => {
  assert.equal(staleFiles(files('dist/a/b.js', 'dist/old.js', 'dist/old.d.ts', 'src/a/b.ts')), ['dist/old.js']);
});

test('a bundle has no sources, and none of it is stale', () => {
  assert.equal(staleFiles(files('dist/meshctl/meshctl.js', 'README.md')), []);
});

test('a package may contain a program and modules', () => {
  const program = files('dist/mod.js', 'src/mod.ts', 'dist/sink/sink.js', 'dist/sink/package.json');
  assert.equal(staleFiles(program), []);
});

test.run();
