/** Virtual IPs: in range, unique, independent of order, and stable once assigned. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { allocateVirtualIps } from '../../src/mod.ts';
import { sha256 } from '../support/hash.ts';

const hosts = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 30 });
/** All hosts have the same hash, so only probing separates them. */
const worst = () => '0'.repeat(32);

test('addresses are in 240.0.0.0/4, without its first and last', () => {
  fc.assert(
    fc.property(hosts, (names) => {
      for (const { address } of allocateVirtualIps(names, new Set(), sha256)) {
        const parts = address.split('.').map(Number);
        assert.is(parts.length, 4);
        assert.ok((parts[0] ?? 0) >= 240 && parts.every((part) => part >= 0 && part <= 255));
        assert.ok(address !== '240.0.0.0' && address !== '255.255.255.255');
      }
    }),
  );
});

test('no address is assigned twice, nor one that is in use', () => {
  fc.assert(
    fc.property(hosts, fc.constantFrom(sha256, worst), fc.uniqueArray(fc.nat(40)), (names, hash, numbers) => {
      const taken = new Set(numbers.map((number) => `240.0.0.${number}`));
      const given = allocateVirtualIps(names, taken, hash).map(({ address }) => address);
      assert.is(new Set([...given, ...taken]).size, given.length + taken.size);
    }),
  );
});

test('probing wraps around at the end of the range', () => {
  const at = (offset: number) => () => offset.toString(16).padStart(12, '0').padEnd(32, '0');
  const last = 0x0f_ff_ff_fd;
  const given = (hash: () => string) => allocateVirtualIps(['a', 'b'], new Set(), hash).map(({ address }) => address);
  assert.equal(given(at(last)), ['255.255.255.254', '240.0.0.1']);
  assert.equal(given(at(last + 1)), ['240.0.0.1', '240.0.0.2']);
});

test('hosts are spread over the whole range', () => {
  const many = Array.from({ length: 500 }, (_, index) => `service-${index}.shop.svc.cluster-1.global`);
  const firsts = allocateVirtualIps(many, new Set(), sha256).map(({ address }) => address.split('.')[0]);
  assert.is(new Set(firsts).size, 16);
});

test('the order of hosts does not matter', () => {
  fc.assert(
    fc.property(hosts, fc.constantFrom(sha256, worst), (names, hash) => {
      assert.equal(allocateVirtualIps(names.toReversed(), new Set(), hash), allocateVirtualIps(names, new Set(), hash));
    }),
  );
});

test('assigned addresses stay: later hosts get others', () => {
  fc.assert(
    fc.property(hosts, hosts, (first, second) => {
      const before = allocateVirtualIps(first, new Set(), worst);
      const taken = new Set(before.map(({ address }) => address));
      const after = allocateVirtualIps(second, taken, worst);
      assert.not.ok(after.some(({ address }) => taken.has(address)));
    }),
  );
});

test.run();
