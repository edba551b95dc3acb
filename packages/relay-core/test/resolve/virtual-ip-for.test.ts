/** Virtual IPs for pods of either family. */
import { assert, test } from '@meshrelay/testing';
import { gatewayIpFor, virtualIpFor } from '../../src/resolve/virtual-ip-for.ts';

test('pods with IPv4, or of unknown families, get the address itself', () => {
  assert.is(virtualIpFor({ ipFamilies: [] }, '240.1.2.3'), '240.1.2.3');
  assert.is(virtualIpFor({ ipFamilies: ['IPV6', 'IPV4'] }, '240.1.2.3'), '240.1.2.3');
});

test('pods with IPv6 only get the same number in a network of our own', () => {
  assert.is(virtualIpFor({ ipFamilies: ['IPV6'] }, '240.1.2.3'), 'fd6d:6573:6872::f001:203');
  assert.is(virtualIpFor({ ipFamilies: ['IPV6'] }, '255.255.255.254'), 'fd6d:6573:6872::ffff:fffe');
});

test('a passage has an address of its own, one for each', () => {
  assert.is(gatewayIpFor({ ipFamilies: ['IPV4', 'IPV6'] }, '240.0.0.1'), '224.0.0.1');
  assert.is(gatewayIpFor({ ipFamilies: [] }, '255.255.255.254'), '239.255.255.254');
  assert.is(gatewayIpFor({ ipFamilies: ['IPV6'] }, '255.255.255.254'), 'fd6d:6573:6872:1::ffff:fffe');
});

test.run();
