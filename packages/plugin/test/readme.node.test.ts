/** The example of the README is a plugin that translates a timeout. */
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { runReadmeExample } from '@meshrelay/testing/readme-example';
import type { MeshPlugin, NativeObject, PolicyRef } from '../src/mod.ts';

const POLICY: PolicyRef = { kind: 'TrafficPolicy', cluster: '', namespace: 'meshrelay', name: 'patient-callers' };

test('the example translates a timeout', async () => {
  const { exported } = await runReadmeExample(join(import.meta.dirname, '..'));
  const plugin = exported['default'] as MeshPlugin;
  const written: NativeObject[] = [];
  const routes = [{ actions: { timeoutMs: { value: 3000, from: [POLICY] } } }];
  plugin.translateDestination?.(
    { destination: { cluster: 'east', namespace: 'shop', name: 'books' }, routes } as never,
    {
      emit: (cluster: string, object: NativeObject, from: readonly PolicyRef[]) => {
        assert.is(cluster, 'east');
        assert.equal(from, [POLICY]);
        written.push(object);
      },
    } as never,
    undefined,
  );
  assert.equal(written, [
    {
      apiVersion: 'lantern.example/v1',
      kind: 'Beam',
      metadata: { name: 'meshrelay-books', namespace: 'shop' },
      spec: { service: 'books', timeoutMs: 3000 },
    },
  ]);
});

test.run();
