/** A process can change to the user of an image only where its user namespace has that user. */
import { assert, test } from '@meshrelay/testing';
import { hasUser } from '../../clusters/processes/user-namespace.ts';

test('a user namespace with only root has no other user', () => {
  assert.is(hasUser('         0          0 4294967295\n', 65_532), true);
  assert.is(hasUser('         0       1000          1\n', 65_532), false);
  assert.is(hasUser('         0       1000          1\n         1     100000      65536\n', 65_532), true);
});

test.run();
