/** The example of the README runs, and names the misspelt field. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';

test('the example names the misspelt field', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.equal(logged.length, 1);
  assert.match(logged.join(), /requestTimout is not a field of \w+; did you mean requestTimeout\?/);
});

test.run();
