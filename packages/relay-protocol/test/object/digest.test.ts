/** Digests: independent of order, updated incrementally, and exact about the differing buckets. */
import { Buffer } from 'node:buffer';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { ContentIndex } from '../../src/object/content-index.ts';
import { BUCKETS, bucketOf, diffDigests, digestOf, inBuckets } from '../../src/object/digest.ts';
import { entryId, kindId } from '../../src/object/envelope.ts';
import { keyOf } from '../link.ts';

const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
const entry = fc.record({
  namespace: fc.constantFrom('', 'a', 'b'),
  name: fc.stringMatching(/^[a-zä]{1,6}$/),
  hash: hex,
});
const entries = fc.uniqueArray(entry, { selector: entryId, maxLength: 50 });

test('order does not matter', () => {
  fc.assert(
    fc.property(entries, (set) => {
      assert.equal(digestOf(set).buckets(), digestOf([...set].reverse()).buckets());
    }),
  );
});

test('the differing buckets are those of the differing entries', () => {
  fc.assert(
    fc.property(entries, entries, (local, remote) => {
      const known = new Map(remote.map((one) => [entryId(one), one.hash]));
      const own = new Map(local.map((one) => [entryId(one), one.hash]));
      const differing = [...new Set([...known.keys(), ...own.keys()])].filter((id) => known.get(id) !== own.get(id));
      const mask = diffDigests(digestOf(local).buckets(), digestOf(remote).buckets());
      for (let bucket = 0; bucket < BUCKETS; bucket++) {
        const expected = differing.some((id) => bucketOf(id) === bucket);
        assert.is(((mask >> BigInt(bucket)) & 1n) === 1n, expected);
      }
      assert.ok(differing.every((id) => inBuckets(mask, id)));
    }),
  );
});

test('two objects that swap their contents make a difference', () => {
  const [x, y] = ['00', 'ff'].map((pair) => pair.repeat(16));
  const digest = (a = '', b = '') =>
    digestOf([
      { namespace: '', name: 'a', hash: a },
      { namespace: '', name: 'b', hash: b },
    ]);
  assert.not.equal(digest(x, y).total(), digest(y, x).total());
});

test('an index after changes has the digest, size and bytes of its content', () => {
  const change = fc.record({ name: fc.nat(9), hash: fc.option(hex, { nil: undefined }), bytes: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const index = new ContentIndex();
      const left = new Map<string, { hash: string; bytes: number }>();
      for (const { name, hash, bytes } of changes) {
        const key = keyOf(0, `n${name}`);
        if (hash === undefined) assert.is(index.delete(key), left.delete(`n${name}`));
        else {
          assert.is(index.set(key, { hash, bytes }), left.get(`n${name}`)?.hash !== hash);
          left.set(`n${name}`, { hash, bytes });
        }
      }
      const kind = kindId(keyOf(0, ''));
      const expected = digestOf([...left].map(([name, { hash }]) => ({ namespace: 'default', name, hash })));
      assert.equal(index.bucketDigests(kind), expected.buckets());
      assert.equal(index.digest(kind), expected.total());
      assert.is(index.size, left.size);
      assert.is(index.count(kind), left.size);
      assert.is(
        index.bytes,
        [...left.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      );
    }),
  );
});

test('buckets are about evenly filled', () => {
  const filled = new Map<number, number>();
  for (let at = 0; at < 6400; at++) {
    const bucket = bucketOf(`bookinfo/reviews-v${at}`);
    filled.set(bucket, (filled.get(bucket) ?? 0) + 1);
  }
  assert.is(filled.size, BUCKETS);
  assert.ok(Math.max(...filled.values()) < 200, `${Math.max(...filled.values())} of 6400 in one of 64 buckets`);
});

test('buckets and digests match the protocol, so that another implementation can interoperate', () => {
  // FNV-1a and SHA-256 computed by other means.
  assert.equal(['default/a', '/node-1', 'istio-system/ä'].map(bucketOf), [48, 39, 6]);
  const digest = digestOf([{ namespace: 'default', name: 'a', hash: '00'.repeat(16) }]).total();
  assert.is(Buffer.from(digest).toString('hex'), '621a6a2b6fa8a491f768745f82a58abf');
});

test.run();
