/** Fields that do not fit a shape are omitted, and no others. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { fitted, type Shape } from '../../src/input/shape.ts';
import { withoutNoise } from '../../src/mod.ts';

const PORT: Shape = { fields: { port: 'number', name: 'string', target: 'number or string' }, required: ['port'] };
const SHAPE: Shape = {
  fields: { labels: { map: 'string' }, ports: { list: PORT }, account: 'string', ready: 'boolean' },
  essential: ['account'],
};

test('a fitting object is returned as the same object', () => {
  const good = {
    labels: { a: 'b' },
    ports: [{ port: 1, name: 'x', target: 'y', more: null }],
    ready: true,
    other: [null],
  };
  assert.is(fitted(good, SHAPE), good);
});

test('a field of a wrong type is omitted alone', () => {
  assert.equal(fitted({ labels: { a: 'b', c: 7, d: null }, ready: 'yes', other: 1 }, SHAPE), {
    labels: { a: 'b' },
    other: 1,
  });
  assert.equal(
    fitted({ ports: [{ port: 1, name: 7 }, { port: '2' }, null, { name: 'x' }, { port: 3, target: {} }] }, SHAPE),
    {
      ports: [{ port: 1 }, { port: 3 }],
    },
  );
  assert.equal(fitted({ labels: 'text', ports: {} }, SHAPE), {});
});

test('an essential field may be absent, but a wrong type rejects the whole object', () => {
  assert.is(fitted({ account: 7, ready: true }, SHAPE), undefined);
  assert.equal(fitted({ ready: true }, SHAPE), { ready: true });
});

test('a value that is not an object gives undefined', () => {
  for (const value of [null, 7, 'text', [], undefined]) assert.is(fitted(value, SHAPE), undefined);
});

test('fitting is idempotent, for any value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (labels, ports) => {
      const once = fitted({ labels, ports }, SHAPE);
      assert.is(fitted(once, SHAPE), once);
    }),
  );
});

test('a name from Object.prototype is an ordinary field', () => {
  const evil = JSON.parse('{"labels": {"__proto__": "x", "constructor": "y", "a": 7}}') as unknown;
  const found = fitted(evil, SHAPE) as { readonly labels: Readonly<Record<string, unknown>> };
  assert.equal(Object.keys(found.labels).sort(), ['__proto__', 'constructor']);
  assert.is(({} as Record<string, unknown>)['x'], undefined);
});

const raw = (metadata: unknown, more: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata, ...more }) as unknown as KubeObject;

test('an object without a valid identity is rejected on input', () => {
  for (const metadata of [null, undefined, 7, {}, { name: null }, { name: 7 }, { name: 'a', namespace: 7 }])
    assert.throws(() => withoutNoise(raw(metadata)), /has no metadata.name/, JSON.stringify(metadata));
  assert.throws(() => withoutNoise({ metadata: { name: 'a' } } as KubeObject), /no apiVersion/);
});

test('a pod keeps its readable fields', () => {
  const pod = withoutNoise(
    raw(
      { name: 'a', labels: { app: 'a', bad: 1 }, annotations: 7 },
      { spec: { containers: [{ name: 'x', image: null }, 'y'] }, status: [] },
    ),
  );
  assert.equal(pod.metadata, { name: 'a', labels: { app: 'a' } });
  assert.equal(pod.spec, { containers: [{ name: 'x' }] });
});

test.run();
