// A lock between processes of this checkout, so that two concurrent first runs do not overwrite each other's
// installation.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** @typedef {{ token: string, pid: number, host: string }} Owner */

const BEAT_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 100;

/**
 * Runs `work` while holding the lock folder; waits for the current holder.
 * mkdir is atomic, so one process creates the folder. The holder touches the folder periodically. Another process takes
 * over a folder whose owner is dead, or that was not touched for `staleAfter` milliseconds.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {{ waiting?: (owner: string) => void, staleAfter?: number }} [options] `waiting` is called once, if another
 * process holds the lock.
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, { waiting = () => {}, staleAfter = 20_000 } = {}) {
  mkdirSync(dirname(folder), { recursive: true });
  const token = randomUUID();
  let reported = false;
  while (!acquire(folder, token)) {
    const owner = ownerOf(folder);
    if (isStale(folder, owner, staleAfter)) takeAway(folder, owner, staleAfter);
    else {
      if (!reported) waiting(owner ? `process ${owner.pid} on ${owner.host}` : 'another process');
      reported = true;
      await new Promise((wake) => setTimeout(wake, POLL_MILLISECONDS));
    }
  }
  const beat = setInterval(() => touch(folder), BEAT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (ownerOf(folder)?.token === token) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {string} token
 */
function acquire(folder, token) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ token, pid: process.pid, host: hostname() }));
  return true;
}

/**
 * @param {string} folder
 * @returns {Owner | undefined}
 */
function ownerOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
  } catch {
    return undefined; // not written yet, or just released: the folder's age decides
  }
}

/**
 * @param {string} folder
 * @param {Owner | undefined} owner
 * @param {number} staleAfter
 */
function isStale(folder, owner, staleAfter) {
  return (owner !== undefined && owner.host === hostname() && !isAlive(owner.pid)) || ageOf(folder) > staleAfter;
}

/**
 * Milliseconds since a folder was touched; 0 when it is gone.
 * @param {string} folder
 */
function ageOf(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Of all processes that find the lock stale, exactly one creates the folder inside it, and so may remove it.
 * @param {string} folder
 * @param {Owner | undefined} stale
 * @param {number} staleAfter
 */
function takeAway(folder, stale, staleAfter) {
  const claim = join(folder, 'claimed');
  try {
    mkdirSync(claim);
  } catch {
    if (ageOf(claim) > staleAfter) rmSync(claim, { recursive: true, force: true }); // died while removing it
    return;
  }
  if (ownerOf(folder)?.token !== stale?.token) {
    rmSync(claim, { recursive: true, force: true }); // another process was faster: this is a fresh lock
    return;
  }
  const grave = `${folder}.${randomUUID()}`;
  renameSync(folder, grave);
  rmSync(grave, { recursive: true, force: true });
}

/** @param {string} folder */
function touch(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Removed while this process was suspended; the work's own renames are atomic, so nothing is lost.
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
