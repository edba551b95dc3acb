/** The folder of a run, here of one named demo: found by name, private, and clean again after killed demos. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { RunFolder } from '../src/run-folder.ts';

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function leave(cache: string, name: string, pid?: number): void {
  mkdirSync(join(cache, name), { recursive: true });
  writeFileSync(join(cache, name, 'cluster-1.kubeconfig'), 'old');
  if (pid !== undefined) writeFileSync(join(cache, name, 'pid'), String(pid));
}

test('the folder is named demo, is private to this user, and is deleted with its files', () => {
  using cache = temporaryFolder();
  {
    using folder = new RunFolder('demo', join(cache.path, 'cache'));
    assert.is(folder.path, join(cache.path, 'cache', 'demo'));
    assert.is(statSync(folder.path).mode & 0o777, 0o700);
    const file = folder.write('a.kubeconfig', 'token');
    assert.is(statSync(file).mode & 0o777, 0o600);
  }
  assert.equal(readdirSync(join(cache.path, 'cache')), []);
});

test('the files of a killed demo are removed', () => {
  using cache = temporaryFolder();
  const dead = deadPid();
  leave(cache.path, 'demo', dead);
  leave(cache.path, `demo-${dead}-a1b2c3`);
  mkdirSync(join(cache.path, 'compiled'));
  using folder = new RunFolder('demo', cache.path);
  assert.equal(readdirSync(cache.path).sort(), ['compiled', 'demo']);
  assert.equal(readdirSync(folder.path), ['pid']);
});

test('a folder that names no owner belongs to an ended run', () => {
  using cache = temporaryFolder();
  leave(cache.path, 'demo');
  using folder = new RunFolder('demo', cache.path);
  assert.equal(readdirSync(folder.path), ['pid']);
});

test('a running demo keeps its folder, and the next demo gets another one', () => {
  using cache = temporaryFolder();
  leave(cache.path, 'demo', process.pid);
  {
    using folder = new RunFolder('demo', cache.path);
    assert.match(folder.path, new RegExp(`demo-${process.pid}-\\w+$`));
    assert.ok(existsSync(folder.path));
  }
  assert.equal(readdirSync(cache.path), ['demo']);
  assert.is(readFileSync(join(cache.path, 'demo', 'cluster-1.kubeconfig'), 'utf8'), 'old');
});

test('the logs of a failed demo are retained, and nothing else', () => {
  using cache = temporaryFolder();
  let retained = '';
  {
    using folder = new RunFolder('demo', cache.path);
    folder.write('a.kubeconfig', 'token');
    folder.write('mgmt-server.log', 'why');
    retained = folder.keepLogs();
  }
  assert.equal(readdirSync(cache.path), ['demo-failed']);
  assert.equal(readdirSync(retained), ['mgmt-server.log']);
  using next = new RunFolder('demo', cache.path);
  assert.ok(existsSync(retained), 'and they stay when the next demo starts');
  assert.ok(existsSync(next.path));
});

test.run();
