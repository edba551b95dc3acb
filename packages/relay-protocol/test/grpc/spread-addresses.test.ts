/** Agents spread over the addresses of a name. */
import { assert, test } from '@meshrelay/testing';
import { type Lookup, spreadAddresses } from '../../src/grpc/spread-addresses.ts';

const base = { roots: '', cluster: 'c1' };
const never: Lookup = () => Promise.reject(new Error('no lookup is expected'));
const counting = (): (() => number) => {
  let calls = 0;
  return () => ((++calls * 7) % 10) / 10;
};

test('addresses, and names with one address, stay unchanged', async () => {
  for (const address of ['127.0.0.1:1', '[::1]:1'])
    assert.is((await spreadAddresses({ ...base, address }, Math.random, never)).address, address);
  const one: Lookup = async () => [{ address: '192.0.2.1', family: 4 }];
  assert.is((await spreadAddresses({ ...base, address: 'relay:1' }, Math.random, one)).address, 'relay:1');
  const none: Lookup = () => Promise.reject(new Error('NXDOMAIN'));
  assert.is((await spreadAddresses({ ...base, address: 'relay:1' }, Math.random, none)).address, 'relay:1');
});

test('each of two addresses comes first equally often, and the name is still verified in the certificate', async () => {
  const two: Lookup = async () => ['192.0.2.1', '192.0.2.2'].map((address) => ({ address, family: 4 }));
  const firsts = new Map<string, number>();
  for (let at = 0; at < 400; at++) {
    const { address, authority } = await spreadAddresses({ ...base, address: 'relay.example:9900' }, Math.random, two);
    assert.is(authority, 'relay.example');
    firsts.set(address, (firsts.get(address) ?? 0) + 1);
  }
  assert.equal([...firsts.keys()].sort(), ['ipv4:192.0.2.1:9900,192.0.2.2:9900', 'ipv4:192.0.2.2:9900,192.0.2.1:9900']);
  for (const count of firsts.values()) assert.ok(count > 130, `${count} of 400`);
});

test('one of two families is used; an explicit server name is kept', async () => {
  const both: Lookup = async () => [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
    { address: '2001:db8::2', family: 6 },
  ];
  const options = { ...base, address: 'relay:1', authority: 'mgmt-server.meshrelay' };
  const { address, authority } = await spreadAddresses(options, counting(), both);
  assert.is(authority, 'mgmt-server.meshrelay');
  assert.is(address, 'ipv6:[2001:db8::2]:1,[2001:db8::1]:1');
});

test('a list is reordered', async () => {
  const { address } = await spreadAddresses({ ...base, address: 'ipv4:a:1,b:2,c:3' }, counting(), never);
  assert.is(address, 'ipv4:c:3,b:2,a:1');
});

test.run();
