// The package must run in a browser: its bundle needs no Node modules.
import { resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { build, stop } from 'esbuild';

for (const entry of ['src/mod.ts', 'src/crds/mod.ts']) {
  test(`${entry} bundles for browsers without a node: import`, async () => {
    const result = await build({
      entryPoints: [resolve(import.meta.dirname, '..', entry)],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      metafile: true,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
    assert.equal(
      imports.filter((path) => path.startsWith('node:')),
      [],
    );
    assert.equal(
      Object.values(result.metafile.outputs).flatMap((output) => output.imports),
      [],
    );
  });
}

test.after(() => stop());

test.run();
