/** Addresses: one spelling each, and those that other hosts cannot reach. */
import { assert, test } from '@meshrelay/testing';
import { canonicalAddress, notDialable } from '../../src/text/addresses.ts';

for (const [one, other] of [
  ['198.51.100.1', '198.51.100.1'],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['1:2:3:4:5:6:198.51.100.1', '1:2:3:4:5:6:c633:6401'],
  ['Gateway.Example.COM.', 'gateway.example.com'],
  // Not addresses, so treated as names.
  ['1:2:3', '1:2:3'],
  ['1::2::3', '1::2::3'],
  ['::1:2:3:4:5:6:7:8', '::1:2:3:4:5:6:7:8'],
] as const) {
  test(`${one} is ${other}`, () => assert.is(canonicalAddress(one), other));
}

for (const address of [
  '198.51.100.1',
  '10.0.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '2001:db8::1',
  'fd00::1',
  'gateway.example.com',
  'a1b2.elb.amazonaws.com',
]) {
  test(`${address} can be dialled`, () => assert.is(notDialable(address), undefined));
}

for (const address of [
  '0.0.0.0',
  '127.0.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  'fe80::1',
  'ff02::1',
  'localhost',
  'a.localhost',
  'gateway',
  'reviews.bookinfo.svc.cluster.local',
  'reviews.bookinfo.svc.cluster-1.global',
  'reviews.bookinfo.svc',
]) {
  test(`${address} is not reachable for others`, () => assert.type(notDialable(address), 'string'));
}

test.run();
