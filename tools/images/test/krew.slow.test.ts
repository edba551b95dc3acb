/** The plugin of kubectl: its manifest names the archive, and the archive runs as krew installs it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { buildKrewPlugin } from '../src/krew.ts';

test('the manifest has the digest of the archive, and texts of the help', async () => {
  using folder = temporaryFolder();
  const { archive, manifest } = await buildKrewPlugin('https://example.com/v0/', folder.path);
  const bytes = readFileSync(archive);
  const { kind, metadata, spec } = JSON.parse(readFileSync(manifest, 'utf8'));
  assert.equal([kind, metadata.name], ['Plugin', 'meshrelay']);
  assert.match(spec.version, /^v\d+\.\d+\.\d+/);
  const [platform] = spec.platforms;
  assert.is(platform.sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.is(platform.uri, `https://example.com/v0/${basename(archive)}`);
  assert.ok(spec.shortDescription.length <= 50);
  assert.match(spec.description, 'meshctl manages Meshrelay');
  assert.match(spec.description, /^ {2}kubectl meshrelay support-bundle: collect objects/m);
  const again = await buildKrewPlugin('https://example.com/v0', join(folder.path, 'again'));
  assert.ok(readFileSync(again.archive).equals(bytes), 'the same sources give the same archive');
});

test('the program runs by a link, with the charts that it installs', async () => {
  using folder = temporaryFolder();
  const { archive } = await buildKrewPlugin('https://example.com/v0', folder.path);
  const store = join(folder.path, 'store');
  mkdirSync(store);
  execFileSync('tar', ['-xzf', archive, '-C', store]);
  const link = join(folder.path, 'kubectl-meshrelay');
  symlinkSync(join(store, 'meshctl.js'), link);
  const run = (...args: readonly string[]) => execFileSync(process.execPath, [link, ...args], { encoding: 'utf8' });
  assert.match(run('version'), /^meshctl /);
  assert.match(run('cluster', 'rbac'), 'kind: ClusterRole');
  assert.ok(readFileSync(join(store, 'charts/meshrelay/Chart.yaml'), 'utf8').includes('name: meshrelay'));
});

test.run();
