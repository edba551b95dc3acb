/** Address pools: distinct, stable, and released. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { addressAt, createAddressPool } from '../../src/controllers/address-pool.ts';

test('an address is derived from the key, and stays while it is held', () => {
  const [one, two] = [createAddressPool('10.0.0.0/16'), createAddressPool('10.0.0.0/16')];
  two.claim('other');
  assert.is(one.claim('ns/a'), two.claim('ns/a'));
  assert.is(one.claim('ns/a'), one.claim('ns/a'));
});

test('a held address is not allocated, a released one is', () => {
  const pool = createAddressPool('10.0.0.0/30');
  const [a, b] = [pool.claim('a'), pool.claim('b')];
  assert.equal([a, b].sort(), ['10.0.0.1', '10.0.0.2']);
  assert.throws(() => pool.claim('c'), 'no address is left in 10.0.0.0/30 for c');
  pool.release('a');
  assert.is(pool.claim('c'), a);
});

test('an observed address is kept, from any source', () => {
  const pool = createAddressPool('10.0.0.0/29');
  const free = createAddressPool('10.0.0.0/29').claim('b');
  pool.observe('a', free);
  assert.not.equal(pool.claim('b'), free);
  assert.is(pool.claim('a'), free);
  pool.observe('a', undefined);
  assert.is(pool.claim('c'), createAddressPool('10.0.0.0/29').claim('c'));
});

test('property: no two keys hold the same address, and all are inside the range', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 60 }), fc.array(fc.nat(59)), (keys, released) => {
      const pool = createAddressPool('192.168.7.64/26');
      const held = new Map(keys.map((key) => [key, pool.claim(key)]));
      for (const at of released) {
        const key = keys[at];
        if (key === undefined) continue;
        pool.release(key);
        held.delete(key);
      }
      for (const key of keys) held.set(key, pool.claim(key));
      assert.is(new Set(held.values()).size, keys.length);
      for (const address of held.values()) {
        const last = Number(address.replace('192.168.7.', ''));
        assert.ok(last > 64 && last < 127, address);
      }
    }),
  );
});

for (const cidr of ['10.0.0.0', '10.0.0/8', '300.0.0.0/8', '10.0.0.0/31', 'fd00::/64']) {
  test(`rejects ${cidr}`, () =>
    assert.throws(() => createAddressPool(cidr), `"${cidr}" is not a range of IPv4 addresses`));
}

test('positions count from the network address', () => {
  assert.is(addressAt('172.18.0.0/16', 258), '172.18.1.2');
  assert.throws(() => addressAt('172.18.0.0/24', 256), 'give a larger range');
});

test.run();
