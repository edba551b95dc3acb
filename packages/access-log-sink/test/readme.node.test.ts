/** The example of the README searches an empty sink, and ends its tail. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';

test('the example finds nothing in an empty sink, and ends', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.equal(logged, ['0 0']);
});

test.run();
