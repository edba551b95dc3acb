/** The programs as they ship: folders that need nothing but Node. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { builtPrograms } from '../src/built-program.ts';
import type { ProgramName } from '../src/mod.ts';

const { folder: build, files } = builtPrograms();

/** A copy of a program far from any node_modules, and a function that runs it. */
function installed(root: string, name: ProgramName) {
  const folder = join(root, 'opt', name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', ...(files[name] ?? [])]) copyFileSync(join(build, file), join(folder, file));
  return (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, `${name}.js`), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
}

for (const [name, contracts] of [
  ['access-log-sink', ''],
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

test.run();
