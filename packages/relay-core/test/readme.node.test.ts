/** The example of the README runs, and reports the invalid duration. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';

test('the example reports the invalid duration', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.is(logged.length, 1);
  assert.match(logged.join(), /^slow INVALID [\s\S]*spec\.policy\.requestTimeout/);
});

test.run();
