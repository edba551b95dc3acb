/** CPU time of this process and its ended children. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { cpuSeconds, cpuSecondsOfChildren } from '../../runner/cpu-time.ts';

test('fields are counted from the end of the name, which may contain anything', () => {
  const stat = `7 (a (b) c) S ${'0 '.repeat(12)}150 50 ${'9 '.repeat(20)}`;
  assert.is(cpuSecondsOfChildren(stat.replace('S 0 0', 'S 1 7')), 2);
  assert.is(cpuSecondsOfChildren(''), 0);
});

test('a program that has ended counts', () => {
  if (!existsSync('/proc/self/stat')) return console.log('SKIPPED needs /proc of Linux');
  const before = cpuSeconds();
  const { user, system } = process.cpuUsage();
  execFileSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 300_000);']);
  const own = (process.cpuUsage().user + process.cpuUsage().system - user - system) / 1e6;
  assert.ok(cpuSeconds() - before - own >= 0.25, 'the program computes for 0.3 s');
});

test.run();
