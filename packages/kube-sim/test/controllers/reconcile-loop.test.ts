/** The loop of the controllers: merged events, and handling of errors. */
import { assert, test } from '@meshrelay/testing';
import { CONFIG_MAP } from '../../src/controllers/kinds.ts';
import { refOf, startLoop } from '../../src/controllers/reconcile-loop.ts';
import { type KubeObject, StatusError } from '../../src/object.ts';
import { emptyStore } from './cluster-fixture.ts';

const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

function loopOf(reconcile: (name: string) => void) {
  const store = emptyStore();
  const faults: string[] = [];
  const loop = startLoop({
    name: 'Test',
    store,
    watches: [{ kind: CONFIG_MAP, refs: (event) => [refOf(event)] }],
    reconcile: ({ name }) => reconcile(name),
    onFault: (error, what) => faults.push(`${what}: ${(error as Error).message}`),
  });
  return { store, loop, faults };
}

test('many events of an object cause one run for it, and objects come in order', async () => {
  const seen: string[] = [];
  const { store, loop } = loopOf((name) => seen.push(name));
  using _loop = loop;
  for (const name of ['c', 'a', 'b']) store.create(configMap(name));
  store.update({ ...configMap('a'), data: { x: '1' } });
  await loop.idle();
  assert.equal(seen, ['a', 'b', 'c']);
});

test('an error is a fault, and the other objects continue', async () => {
  const seen: string[] = [];
  const { store, loop, faults } = loopOf((name) => {
    if (name === 'bad') throw new Error('broken');
    seen.push(name);
  });
  using _loop = loop;
  for (const name of ['bad', 'good']) store.create(configMap(name));
  await loop.idle();
  assert.equal([faults, seen], [['Test default/bad: broken'], ['good']]);
});

for (const [code, causes, isFault] of [
  [404, [], false],
  [409, [], false],
  [403, [{ reason: 'NamespaceTerminating' }], false],
  [403, [], true],
  [422, [], true],
] as const) {
  test(`a rejection with ${code} ${JSON.stringify(causes)} is ${isFault ? 'a' : 'no'} fault`, async () => {
    const { store, loop, faults } = loopOf(() => {
      throw new StatusError({ code, reason: '', message: 'refused', details: { causes: [...causes] } });
    });
    using _loop = loop;
    store.create(configMap('x'));
    await loop.idle();
    assert.is(faults.length, isFault ? 1 : 0);
  });
}

test('a disposed loop does not run again', async () => {
  const seen: string[] = [];
  const { store, loop } = loopOf((name) => seen.push(name));
  store.create(configMap('a'));
  loop[Symbol.dispose]();
  store.create(configMap('b'));
  await loop.idle();
  assert.equal(seen, []);
});

test.run();
