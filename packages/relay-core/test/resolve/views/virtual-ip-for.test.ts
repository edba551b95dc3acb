/** Virtual IPs for pods of either IP family. */
import { assert, test } from '@meshrelay/testing';
import { gatewayIpFor, virtualIpFor } from '../../../src/resolve/views/virtual-ip-for.ts';

test('pods with IPv4, or of unknown families, use the address itself', () => {
  assert.is(virtualIpFor({ ipFamilies: [] }, '240.1.2.3'), '240.1.2.3');
  assert.is(virtualIpFor({ ipFamilies: ['IPV6', 'IPV4'] }, '240.1.2.3'), '240.1.2.3');
});

test('IPv6-only pods use the same number in a network of Meshrelay', () => {
  assert.is(virtualIpFor({ ipFamilies: ['IPV6'] }, '240.1.2.3'), 'fd6d:6573:6872::f001:203');
  assert.is(virtualIpFor({ ipFamilies: ['IPV6'] }, '255.255.255.254'), 'fd6d:6573:6872::ffff:fffe');
});

test('each gateway route has its own address', () => {
  assert.is(gatewayIpFor({ ipFamilies: ['IPV4', 'IPV6'] }, '240.0.0.1'), '224.0.0.1');
  assert.is(gatewayIpFor({ ipFamilies: [] }, '255.255.255.254'), '239.255.255.254');
  assert.is(gatewayIpFor({ ipFamilies: ['IPV6'] }, '255.255.255.254'), 'fd6d:6573:6872:1::ffff:fffe');
});

test.run();
