/** Shards: packing and unpacking preserves outputs, within the size limit of an API server. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { objectId } from '@meshrelay/relay-protocol';
import { output } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { packShard, SHARD_BYTES, SHARDS, shardOf, unpackShard } from '../../src/apply/inventory-shards.ts';
import { written } from './outputs.ts';

const kind = written('VirtualService');
const required = (name: string, spec: object) => ({
  id: name,
  kind,
  hash: `h-${name}`,
  object: output('VirtualService', name, spec),
});

test('unpacking returns what was packed', () => {
  const outputs = [required('a', { hosts: ['a'] }), required('b', { hosts: ['b'], http: [{}] })];
  const { text, left } = packShard(outputs);
  assert.is(left, 0);
  const found = unpackShard(text);
  assert.equal(found.map(({ name, hash }) => [name, hash]).sort(), [
    ['a', 'h-a'],
    ['b', 'h-b'],
  ]);
  const a = found.find(({ name }) => name === 'a');
  assert.equal(JSON.parse(new TextDecoder().decode(a?.body)), outputs[0]?.object);
});

test('a shard never exceeds the size limit of an API server: the largest outputs are left out', () => {
  // Incompressible text.
  const large = Array.from({ length: 60 }, (_, number) =>
    required(`l${number}`, { noise: randomBytes(6_000).toString('hex') }),
  );
  const { text, left } = packShard([...large, required('small', {})]);
  assert.ok(text.length <= SHARD_BYTES, String(text.length));
  assert.ok(left > 0 && left < 60);
  assert.ok(unpackShard(text).some(({ name }) => name === 'small'));
});

test('ten thousand outputs of two kilobytes fit', () => {
  const perShard = Math.ceil((10_000 / SHARDS) * 1.2);
  const usual = Array.from({ length: perShard }, (_, number) =>
    required(`v${number}`, {
      hosts: Array.from(
        { length: 40 },
        (_each, host) => `service-${host}-${number}.namespace-${host}.svc.cluster.local`,
      ),
    }),
  );
  assert.is(packShard(usual).left, 0);
});

test('a text in another format is an error, and a decompression bomb is not unpacked', () => {
  for (const text of [
    '',
    'nonsense',
    gzipSync('{').toString('base64'),
    gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64'),
  ])
    assert.throws(() => unpackShard(text));
});

test('outputs spread evenly', () => {
  const counts = new Map<number, number>();
  for (let number = 0; number < 3_200; number++) {
    const shard = shardOf(objectId({ ...kind, namespace: 'shop', name: `v${number}` }));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  assert.is(counts.size, SHARDS);
  assert.ok(Math.max(...counts.values()) < 150);
});

test.run();
