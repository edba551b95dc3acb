/** The example of the README creates a package. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';

test('the example creates a package with the plugin of a mesh', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.equal(logged, ['true']);
});

test.run();
