/** The example of the README loads the plugin. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';
import plugin from '../src/mod.ts';

test('the example loads the plugin and prints the kinds that it writes', async () => {
  const { logged } = await runReadmeExample(join(import.meta.dirname, '..'));
  assert.equal(logged, [`envoy ${plugin.writes.map(({ kind }) => kind).join(', ')}`]);
});

test.run();
