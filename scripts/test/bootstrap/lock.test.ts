/** The lock between first runs: one at a time, and no dead process holds it forever. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { withLock } from '../../bootstrap/lock.mjs';

test('one holder at a time, and no folder is left afterwards', async () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, 'new', 'lock');
  let inside = 0;
  let max = 0;
  const work = async (): Promise<void> => {
    max = Math.max(max, ++inside);
    await setImmediate();
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(lock, work)));
  assert.is(max, 1);
  assert.not(existsSync(lock));
});

test('the lock is released when the work fails, and the failure is passed on', async () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, 'lock');
  const failure = await withLock(lock, () => Promise.reject(new Error('no network'))).catch((error: Error) => error);
  assert.instance(failure, Error);
  assert.is(await withLock(lock, async () => 'free'), 'free');
});

test('reports the holder once', async () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, 'lock');
  const reported: string[] = [];
  const release = Promise.withResolvers<void>();
  const first = withLock(lock, () => release.promise);
  const second = withLock(lock, async () => {}, {
    waiting: (owner) => {
      reported.push(owner);
      release.resolve();
    },
  });
  await Promise.all([first, second]);
  assert.equal(reported, [`process ${process.pid} on ${hostname()}`]);
});

test('a lock of a dead process is taken over', async () => {
  using folder = temporaryFolder();
  const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(dead, 'exit');
  const lock = heldBy(folder.path, { token: 'gone', pid: dead.pid ?? 0, host: hostname() });
  assert.is(await withLock(lock, async () => 'taken'), 'taken');
  assert.not(existsSync(lock));
});

test('a lock is taken over if its owner on another host no longer touches it, or died before it wrote its name', async () => {
  using folder = temporaryFolder();
  for (const owner of [{ token: 'far', pid: process.pid, host: 'another-machine' }, undefined]) {
    const lock = heldBy(folder.path, owner);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    assert.is(await withLock(lock, async () => 'taken', { staleAfter: 30_000 }), 'taken');
  }
});

test('many processes find it stale: still one at a time', async () => {
  using folder = temporaryFolder();
  const lock = heldBy(folder.path, { token: 'gone', pid: 2 ** 30, host: hostname() });
  let inside = 0;
  let max = 0;
  const work = async (): Promise<void> => {
    max = Math.max(max, ++inside);
    await setImmediate();
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(lock, work)));
  assert.is(max, 1);
});

function heldBy(folder: string, owner: object | undefined): string {
  const lock = join(folder, 'lock');
  mkdirSync(lock);
  if (owner) writeFileSync(join(lock, 'owner.json'), JSON.stringify(owner));
  return lock;
}

test.run();
