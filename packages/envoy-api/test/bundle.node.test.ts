/** Messages and streams run anywhere: their bundle needs neither Node nor gRPC. */
import { resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { build, stop } from 'esbuild';

test('messages and streams bundle for browsers without a node: import', async () => {
  const { metafile } = await build({
    stdin: {
      contents: "export * from './src/mod.ts'; export * from './src/xds/mod.ts';",
      resolveDir: resolve(import.meta.dirname, '..'),
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  assert.ok(inputs.length > 100, 'something was bundled');
  assert.equal(
    inputs.filter((path) => path.includes('grpc-js')),
    [],
  );
  assert.equal(
    Object.values(metafile.outputs).flatMap((output) => output.imports),
    [],
  );
});

test.after(() => stop());

test.run();
