/** An output counts as deleted if it is missing, or was created again. */
import { assert, test } from '@meshrelay/testing';
import { deleted } from '../../clusters/story/outputs.ts';

const output = (key: string, uid: string, text = '') => ({ key, uid, text });

test('a changed output is not deleted, a missing one and a recreated one are', () => {
  const before = [output('a', '1'), output('b', '2'), output('c', '3')];
  const after = [output('a', '1', 'changed'), output('c', '4'), output('d', '5')];
  assert.equal(deleted(before, after), ['b', 'c']);
});

test.run();
