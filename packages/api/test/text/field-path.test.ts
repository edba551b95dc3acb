// Paths are formatted as users would type them.
import { assert, test } from '@meshrelay/testing';
import { formatFieldPath } from '../../src/mod.ts';

test('names, indices and keys with odd characters', () => {
  assert.is(formatFieldPath([]), '');
  assert.is(formatFieldPath(['spec']), 'spec');
  assert.is(formatFieldPath(['spec', 'meshes', 0, 'name']), 'spec.meshes[0].name');
  assert.is(formatFieldPath(['labels', 'a.b/c', 'd']), 'labels["a.b/c"].d');
  assert.is(formatFieldPath(['labels', 'a"\n']), 'labels["a\\"\\n"]');
});

test.run();
