/** The example of the README is a plugin that discovers its mesh and translates a timeout. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import type { MeshPlugin, NativeObject, PolicyRef } from '../src/mod.ts';

const PACKAGE = join(import.meta.dirname, '..');
const POLICY: PolicyRef = { kind: 'TrafficPolicy', cluster: '', namespace: 'meshrelay', name: 'patient-callers' };

test('the example translates a timeout', async () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? [];
  assert.ok(example !== undefined);
  // Next to the package's sources, where its own name resolves; the name is unique to this process.
  const file = join(PACKAGE, `.readme-${process.pid}.ts`);
  writeFileSync(file, example);
  try {
    const { default: plugin } = (await import(pathToFileURL(file).href)) as { readonly default: MeshPlugin };
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
  } finally {
    rmSync(file);
  }
});

test.run();
