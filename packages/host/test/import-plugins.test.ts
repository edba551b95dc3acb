/** Mesh plugins by configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { ConfigError, importPlugins } from '../src/mod.ts';

async function fault(module: string): Promise<string> {
  try {
    await importPlugins([{ module }]);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

test('without a list the built-in plugins are loaded', async () => {
  assert.equal(
    (await importPlugins(undefined)).map(({ plugin }) => plugin.name),
    ['istio', 'osm', 'envoy'],
  );
  assert.equal(await importPlugins([]), []);
});

test('a list names modules', async () => {
  assert.equal(
    (await importPlugins([{ module: '@meshrelay/plugin-istio' }])).map(({ plugin }) => plugin.name),
    ['istio'],
  );
});

test('the error names a module that cannot be imported or is not a plugin', async () => {
  assert.match(await fault('@meshrelay/plugin-nowhere'), 'plugins: @meshrelay/plugin-nowhere cannot be imported');
  using folder = temporaryFolder();
  const at = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return pathToFileURL(join(folder.path, name)).href;
  };
  assert.match(await fault(at('throws.mjs', 'throw new Error("on load")')), 'on load');
  const none = at('none.mjs', 'export const other = 1;');
  assert.match(await fault(none), none);
});

test.run();
