/** Peer addresses in all notations. */
import { assert, test } from '@meshrelay/testing';
import { hostOf } from '../../src/attribution/reporter.ts';

for (const [peer, host] of [
  ['10.0.0.7:41234', '10.0.0.7'],
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7:41234', '10.0.0.7'],
  ['[::ffff:10.0.0.7]:41234', '10.0.0.7'],
  ['fd00::1:41234', 'fd00::1'],
  ['[fd00::1]:443', 'fd00::1'],
] as const)
  test(`${peer} comes from ${host}`, () => assert.is(hostOf(peer), host));

test.run();
