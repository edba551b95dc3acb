/** The example of the README starts an API server and prints its kubeconfig. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';

test('the example prints a kubeconfig of the cluster', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.is(logged.length, 1);
  assert.match(logged.join(), /kind: Config[\s\S]*cluster-1/);
});

test.run();
