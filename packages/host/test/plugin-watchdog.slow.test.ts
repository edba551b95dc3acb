/** Mesh plugins that do not return, in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { ConfigError, PluginWatchdog } from '../src/mod.ts';

const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
const HANGING = urlOf('support/hanging-plugin.ts');

/** Loads modules with a watchdog, runs the text, and ends. */
async function run(folder: string, modules: string, text: string) {
  const code = `import { importPlugins, PluginWatchdog } from ${urlOf('../src/mod.ts')};
    await using watchdog = new PluginWatchdog({ program: 'agent', folder: ${JSON.stringify(folder)}, limit: 0.4 });
    const plugins = await importPlugins([${modules}].map((module) => ({ module })), watchdog);
    const { plugin, quarantined } = plugins.at(-1);
    ${text}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { ...output, end: signal ?? exitCode };
}

test('a call that does not return ends its process, and the next start quarantines that plugin alone', async () => {
  using folder = temporaryFolder();
  const modules = `'@meshrelay/plugin-osm', ${HANGING}`;
  const first = await run(folder.path, modules, 'console.log(quarantined); plugin.translateMesh({}, {});');
  assert.equal([first.end, first.stdout], ['SIGKILL', 'undefined\n']);
  assert.match(
    first.stderr,
    `agent: plugin ${JSON.parse(HANGING)}: its translateMesh did not return within 0.4 s, so this process ends`,
  );
  const second = await run(
    folder.path,
    modules,
    `for (const name of ['discover', 'translateMesh', 'translateDestination'])
      try { plugin[name]({}, {}); } catch (error) { console.log(error.message === quarantined, name); }
    console.log(quarantined, plugins[0].quarantined, plugin.writes.length > 0);`,
  );
  assert.equal([second.end, second.stderr], [0, '']);
  assert.match(second.stdout, /^true discover\ntrue translateMesh\ntrue translateDestination\n/);
  assert.match(second.stdout, /its translateMesh did not return within 0\.4 s.*hung-plugin\.json.* undefined true\n$/);
});

test('a module whose import does not return ends its process by name', async () => {
  using folder = temporaryFolder();
  const { end, stderr } = await run(folder.path, urlOf('support/hanging-module.ts'), '');
  assert.is(end, 'SIGKILL');
  assert.match(stderr, 'hanging-module.ts: its import did not return within 0.4 s');
});

test('many calls that return may take longer together, and the process ends in order', async () => {
  using folder = temporaryFolder();
  const calls = `const end = performance.now() + 1200;
    while (performance.now() < end) plugin.concernsMesh({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });`;
  const { end, stderr } = await run(folder.path, HANGING, calls);
  assert.equal([end, stderr], [0, '']);
  assert.equal(readdirSync(folder.path), []);
});

test('a damaged note is an error that names the file', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'meshrelay-agent-hung-plugin.json');
  writeFileSync(file, '{"module":');
  assert.throws(
    () => new PluginWatchdog({ program: 'agent', folder: folder.path }),
    (error: unknown) => error instanceof ConfigError && error.message.startsWith(`${file} is not the note`),
  );
});

test.run();
