/** Sealed values open only at their own location, and never exceed their limits. */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { Sealer, type SealLocation } from '../../src/redis/seal.ts';
import { REDIS_LIMITS } from '../../src/redis/settings.ts';
import { compareStored, readVersion, versionText } from '../../src/redis/stored-version.ts';
import { readHead, readIndex, readStep, writeStep } from '../../src/redis/values.ts';

const key = randomBytes(32);
const sealer = new Sealer('fleet', [key], REDIS_LIMITS);
const place: SealLocation = { cluster: 'c1', kind: 'object', key: 'o|/v1/Service|ns/a|1' };
const version = { life: 0, term: 3, seq: 9 };

test('small and large sealed values are read back with their versions', () => {
  for (const size of [0, 1, 127, 128, 100_000]) {
    const bytes = Buffer.alloc(size, 'text ');
    const opened = sealer.open(place, sealer.seal(place, version, bytes));
    assert.ok(opened.ok && opened.bytes.equals(bytes));
    assert.equal(opened.ok && opened.version, version);
  }
});

test('a value is valid at its location only', () => {
  const value = sealer.seal(place, version, Buffer.from('text'));
  const others: SealLocation[] = [
    { ...place, cluster: 'c2' },
    { ...place, kind: 'index' },
    { ...place, key: `${place.key}x` },
  ];
  for (const other of others) assert.equal(sealer.open(other, value), { ok: false, corruption: 'seal' });
  assert.equal(new Sealer('other', [key], REDIS_LIMITS).open(place, value), { ok: false, corruption: 'seal' });
  assert.equal(new Sealer('fleet', [randomBytes(32)], REDIS_LIMITS).open(place, value), {
    ok: false,
    corruption: 'key',
  });
});

test('other keys are used from the next value on, and an invalid one changes nothing', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const one = new Sealer('fleet', [old], REDIS_LIMITS);
  const two = new Sealer('fleet', [old], REDIS_LIMITS);
  const before = one.seal(place, version, Buffer.from('text'));
  one.rekey([next, old]);
  const after = one.seal(place, version, Buffer.from('text'));
  assert.ok(one.open(place, before).ok && one.open(place, after).ok);
  assert.ok(two.open(place, before).ok);
  assert.equal(two.open(place, after), { ok: false, corruption: 'key' });
  two.rekey([old, next]);
  assert.ok(two.open(place, after).ok);
  for (const bad of [[], [randomBytes(31)], [next, randomBytes(33)]]) assert.throws(() => two.rekey(bad), RangeError);
  assert.ok(two.open(place, after).ok && one.open(place, two.seal(place, version, Buffer.from('more'))).ok);
  one.rekey([next]);
  assert.equal(one.open(place, before), { ok: false, corruption: 'key' });
});

test('no bit can be changed, no byte removed or added', () => {
  const value = sealer.seal(place, version, Buffer.from('text that must stay secret'));
  for (let bit = 0; bit < value.byteLength * 8; bit += 1) {
    const changed = Buffer.from(value);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.not(sealer.open(place, changed).ok, `bit ${bit}`);
  }
  for (let size = 0; size < value.byteLength; size += 1) assert.not(sealer.open(place, value.subarray(0, size)).ok);
  assert.not(sealer.open(place, Buffer.concat([value, Buffer.of(0)])).ok);
});

test('inflation stops at the limit, and values that are too large are not parsed', () => {
  const bomb = sealer.seal(place, version, Buffer.alloc(64 * 1024 * 1024));
  assert.ok(bomb.byteLength < REDIS_LIMITS.value);
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(sealer.open(place, bomb), { ok: false, corruption: 'size' });
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 * REDIS_LIMITS.inflated + 8 * 1024 * 1024);
  assert.equal(sealer.open(place, Buffer.alloc(REDIS_LIMITS.value + 1)), { ok: false, corruption: 'size' });
});

test('keys are changed in two steps: both open, the first seals', () => {
  const next = randomBytes(32);
  const old = sealer.seal(place, version, Buffer.from('old'));
  const both = new Sealer('fleet', [next, key], REDIS_LIMITS);
  assert.ok(both.open(place, old).ok);
  const renewed = both.seal(place, version, Buffer.from('new'));
  assert.equal(sealer.open(place, renewed), { ok: false, corruption: 'key' });
  assert.ok(new Sealer('fleet', [next], REDIS_LIMITS).open(place, renewed).ok);
  assert.throws(() => new Sealer('fleet', [randomBytes(31)], REDIS_LIMITS), /32 bytes/);
  assert.throws(() => new Sealer('fleet', [], REDIS_LIMITS), /no key/);
});

test('a value of a later program is not parsed', () => {
  const value = sealer.seal(place, version, Buffer.from('text'));
  value[50] = 2;
  assert.equal(sealer.open(place, value), { ok: false, corruption: 'schema' });
});

test('versions compare as their texts do', () => {
  const part = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  const some = fc.record({ life: part, term: part, seq: part }, { noNullPrototype: true });
  fc.assert(
    fc.property(some, some, (a, b) => {
      const [one, other] = [versionText(a), versionText(b)];
      assert.is(Math.sign(compareStored(a, b)), one < other ? -1 : one > other ? 1 : 0);
      assert.equal(readVersion(one), a);
    }),
  );
  for (const text of ['', 'x'.repeat(50), '9'.repeat(50), `${'9'.repeat(16)}.${'9'.repeat(16)}.${'9'.repeat(16)}`])
    assert.is(readVersion(text), undefined);
});

/** A text with a length prefix, as in a step. */
function lengthBefore(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

test('20,000 random or slightly changed values do not open and break nothing', () => {
  const good = sealer.seal(place, version, Buffer.from('some text '.repeat(30)));
  const step = writeStep({ type: 'moved', from: 'a', cluster: 'c1', version });
  const rubbish = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ maxLength: 300 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .json()
      .map((text) =>
        lengthBefore(
          `{"from":"a","cluster":"c","version":{"seq":1},"before":{"seq":1},"type":"step","kinds":[${text}]}`,
        ),
      ),
    fc.json().map((text) => Buffer.from(`{"removed":false,"kinds":[${text}]}`)),
    fc
      .tuple(fc.constantFrom(good, step), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 }))
      .map(([value, changes]) => {
        const changed = Buffer.from(value);
        for (const [at, byte] of changes) changed[at % changed.byteLength] = byte;
        return changed;
      }),
  );
  const runs = 20_000;
  fc.assert(
    fc.property(rubbish, (value) => {
      const bytes = Buffer.from(value);
      const opened = sealer.open(place, bytes);
      assert.ok(!opened.ok || bytes.equals(good));
      // The content of a sealed value is trusted, and is parsed defensively all the same.
      for (const read of [readHead, readIndex, readStep]) read(bytes);
      assert.is(Reflect.get({}, 'polluted'), undefined);
    }),
    { numRuns: runs },
  );
  console.log(`${runs} inputs`);
});

test.run();
