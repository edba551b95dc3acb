/** Kubelets need the machine's own user namespace; processes can change only to users of their own namespace. */
import { assert, test } from '@meshrelay/testing';
import { hasUser, isInitial } from '../../clusters/lab/user-namespace.ts';

test('a user namespace with only root has no other user', () => {
  assert.is(hasUser('         0          0 4294967295\n', 65_532), true);
  assert.is(hasUser('         0       1000          1\n', 65_532), false);
  assert.is(hasUser('         0       1000          1\n         1     100000      65536\n', 65_532), true);
});

test("the machine's own user namespace has all users, each as itself", () => {
  assert.is(isInitial('         0          0 4294967295\n'), true);
  assert.is(isInitial('         0          0          1\n'), false);
  assert.is(isInitial('         0     100000 4294967295\n'), false);
});

test.run();
