/** Which addresses share one limit. */
import { assert, test } from '@meshrelay/testing';
import { addressBlock } from '../../src/grpc/address-block.ts';

const ROWS: ReadonlyArray<readonly [peer: string, block: string]> = [
  ['10.0.0.1:443', '10.0.0.1'],
  ['::ffff:10.0.0.1:443', '10.0.0.1'],
  ['::1:443', '0:0:0:0::/64'],
  ['fe80::1%eth0:443', 'fe80:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6:443', '2001:db8:1:2::/64'],
  ['2001:db8::3:4:5:6:443', '2001:db8:0:0::/64'],
  ['2001:db8:1:3::6:443', '2001:db8:1:3::/64'],
];

for (const [peer, block] of ROWS) {
  test(`${peer} is in ${block}`, () => assert.is(addressBlock(peer), block));
}

test.run();
