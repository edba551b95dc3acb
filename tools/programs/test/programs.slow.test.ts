/** The programs as they ship: folders that need nothing but Node. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { copyFiles } from '../src/assets.ts';
import { builtPrograms } from '../src/built-program.ts';
import type { ProgramName } from '../src/mod.ts';

const { folder: build, files } = builtPrograms();

/** A copy of a program far from any node_modules, and a function that runs it. */
function installed(root: string, name: ProgramName) {
  const folder = join(root, 'opt', name);
  mkdirSync(folder, { recursive: true });
  copyFiles(build, folder, ['package.json', ...(files[name] ?? [])]);
  return (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, `${name}.js`), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
}

for (const [name, contracts] of [
  ['access-log-sink', 'envoy api v3\\n'],
  ['agent', 'api v1alpha1\nplugin contract 1\n'],
  ['meshctl', 'api v1alpha1\nplugin contract 1\n'],
  ['mgmt-server', 'api v1alpha1\nplugin contract 1\n'],
] as const)
  test(`${name} --version prints version, commit and contracts`, () => {
    using folder = temporaryFolder();
    const { stdout, stderr, status } = installed(folder.path, name)('--version');
    assert.equal([stderr, status], ['', 0]);
    const lines = `^${name} \\d+\\.\\d+\\.\\d+\\ncommit ([0-9a-f]{40}(-dirty)?|unknown)\\n${contracts}node 24\\.`;
    assert.match(stdout, new RegExp(lines));
  });

for (const name of ['agent', 'mgmt-server'] as const)
  test(`${name} finds the plugins that the configuration names`, () => {
    using folder = temporaryFolder();
    const run = installed(folder.path, name);
    const start = (...modules: readonly string[]): string => {
      const plugins = modules.map((module) => ({ module }));
      const relay = { serverAddress: '127.0.0.1:1', cluster: 'cluster-1' };
      const config = { plugins, kubernetes: { kubeconfig: 'nowhere.yaml' }, ...(name === 'agent' && { relay }) };
      writeFileSync(join(folder.path, 'config.yaml'), JSON.stringify(config));
      return run('--config', 'config.yaml').stderr;
    };
    const mesh = join(folder.path, 'opt/node_modules/meshrelay-plugin-lantern/index.js');
    mkdirSync(dirname(mesh), { recursive: true });
    writeFileSync(join(dirname(mesh), 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
    writeFileSync(mesh, 'export default {};');
    const noPlugin = 'meshrelay-plugin-lantern: its default export';
    assert.match(start('meshrelay-plugin-lantern'), noPlugin);
    assert.match(start('@meshrelay/plugin-istio', 'meshrelay-plugin-lantern'), noPlugin);
    assert.match(start('meshrelay-plugin-absent'), 'plugins: meshrelay-plugin-absent cannot be imported');
    // Those built in are part of the program: the next fault is the missing kubeconfig.
    assert.match(start('@meshrelay/plugin-istio', '@meshrelay/plugin-osm'), 'nowhere.yaml');
  });

test('meshctl has the charts that it installs', () => {
  using folder = temporaryFolder();
  const { stdout, stderr, status } = installed(
    folder.path,
    'meshctl',
  )(...['install', '--print-command', '--kubeconfig', kubeconfig(folder.path)]);
  assert.equal([stderr, status], ['', 0]);
  const [, chart = ''] = / install meshrelay (\S+) /.exec(stdout) ?? [];
  assert.is(chart, join(folder.path, 'opt/meshctl/charts/meshrelay'));
  assert.ok(existsSync(join(chart, 'templates/deployment.yaml')));
});

function kubeconfig(folder: string): string {
  const file = join(folder, 'kubeconfig');
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'a', user: { token: 'x' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    }),
  );
  return file;
}

test.run();
