/** Core, the API and a mesh plugin run in browsers: their bundle needs no Node module. */
import { resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { build, stop } from 'esbuild';

const contents =
  "export * from './relay-core/src/mod.ts'; export * from './api/src/mod.ts'; export { default } from './plugin-istio/src/mod.ts';";

test('core, the API and Istio bundle for browsers without a node: import', async () => {
  const result = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../..'), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  assert.ok(imports.length > 50, 'something was bundled');
  assert.equal(
    imports.filter((path) => path.startsWith('node:')),
    [],
  );
  assert.equal(
    Object.values(result.metafile.outputs).flatMap((output) => output.imports),
    [],
  );
});

test.after(() => stop());

test.run();
