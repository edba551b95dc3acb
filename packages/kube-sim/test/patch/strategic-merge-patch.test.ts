/** Strategic merge patches: directives, merge keys and order, compared with Kubernetes' own library. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { builtinSchema } from '../../src/builtin-schemas/builtin-schema.ts';
import { type Json, type JsonObject, type SchemaNode, StatusError } from '../../src/object.ts';
import { applyStrategicMergePatch } from '../../src/patch/strategic-merge-patch.ts';

const deployment = builtinSchema('apps/v1', 'Deployment') as SchemaNode;
const pod = builtinSchema('v1', 'Pod') as SchemaNode;
const service = builtinSchema('v1', 'Service') as SchemaNode;

const spec = (original: Json, patch: Json, schema = pod): Json =>
  applyStrategicMergePatch({ spec: original }, { spec: patch }, schema)['spec'] as Json;

test('list items merge by their key, and new ones are appended', () => {
  const merged = spec(
    {
      containers: [
        { name: 'a', image: 'a:1', args: ['x', 'y'] },
        { name: 'b', image: 'b:1' },
      ],
    },
    {
      containers: [
        { name: 'b', image: 'b:2' },
        { name: 'c', image: 'c:1' },
      ],
    },
  );
  assert.equal(merged, {
    containers: [
      { name: 'a', image: 'a:1', args: ['x', 'y'] },
      { name: 'b', image: 'b:2' },
      { name: 'c', image: 'c:1' },
    ],
  });
});

test('lists without a merge strategy are replaced', () => {
  const original = { tolerations: [{ key: 'a' }], containers: [{ name: 'a', args: ['x'] }] };
  const patch = { tolerations: [{ key: 'b' }], containers: [{ name: 'a', args: ['y'] }] };
  assert.equal(spec(original, patch), patch);
});

test('null deletes a member, and is dropped from new values', () => {
  assert.equal(
    spec({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { a: null }, dnsConfig: { options: null } }),
    {
      nodeSelector: { b: '2' },
      dnsConfig: {},
    },
  );
});

test('$patch: delete in an item deletes the item, in an object empties it', () => {
  assert.equal(
    spec({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ name: 'a', $patch: 'delete' }] }),
    {
      containers: [{ name: 'b' }],
    },
  );
  assert.equal(spec({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'delete' } }), { nodeSelector: {} });
});

test('$patch: replace replaces the list or the object', () => {
  assert.equal(spec({ containers: [{ name: 'a' }] }, { containers: [{ name: 'b' }, { $patch: 'replace' }] }), {
    containers: [{ name: 'b' }],
  });
  assert.equal(spec({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'replace', b: '2' } }), {
    nodeSelector: { b: '2' },
  });
  assert.equal(spec({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'merge', b: '2' } }), {
    nodeSelector: { a: '1', b: '2' },
  });
});

test('$deleteFromPrimitiveList deletes values, and merging adds those that are missing', () => {
  const document = { metadata: { finalizers: ['a', 'b'] } };
  const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c', 'b'] } };
  assert.equal(applyStrategicMergePatch(document, patch, pod), { metadata: { finalizers: ['c', 'b'] } });
});

test('$setElementOrder orders the merged list; unlisted items keep their position', () => {
  const merged = spec(
    { containers: [{ name: 'a' }, { name: 'server' }, { name: 'b' }] },
    {
      $setElementOrder: null,
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [{ name: 'a', image: 'i' }],
    },
  );
  assert.equal(merged, { containers: [{ name: 'server' }, { name: 'b' }, { name: 'a', image: 'i' }] });
});

test('$retainKeys keeps only the listed members', () => {
  const original = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } };
  assert.equal(spec(original, { strategy: { $retainKeys: ['type'], type: 'Recreate' } }, deployment), {
    strategy: { type: 'Recreate' },
  });
  const volumes = [{ name: 'v', emptyDir: {} }];
  assert.equal(
    spec({ volumes }, { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
    {
      volumes: [{ name: 'v', configMap: { name: 'c' } }],
    },
  );
});

test('a Service merges its ports by port alone', () => {
  const ports = [{ port: 80, protocol: 'TCP', nodePort: 30_000 }, { port: 443 }];
  assert.equal(spec({ ports }, { ports: [{ port: 80, name: 'http' }] }, service), {
    ports: [{ port: 80, protocol: 'TCP', nodePort: 30_000, name: 'http' }, { port: 443 }],
  });
});

const rejections: [name: string, patch: Json, code: number][] = [
  ['an item without its key', { containers: [{ image: 'x' }] }, 500],
  ['an unknown directive', { nodeSelector: { $patch: 'swap' } }, 500],
  ['keys set but not retained', { nodeSelector: { $retainKeys: ['a'], b: '1' } }, 400],
  ['retained keys that are not a list', { nodeSelector: { $retainKeys: 'a' } }, 400],
  ['an order that is not a list', { containers: [{ name: 'a' }], '$setElementOrder/containers': 'a' }, 400],
  [
    'a patch against its own order',
    { containers: [{ name: 'b' }, { name: 'a' }], '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }] },
    500,
  ],
];

for (const [name, patch, code] of rejections) {
  test(`rejects ${name}`, () => {
    const original = { nodeSelector: { x: 'y' }, containers: [{ name: 'a' }, { name: 'b' }] };
    assert.throws(
      () => spec(original, patch),
      (error: unknown) => error instanceof StatusError && error.status.code === code,
    );
  });
}

test('rejects a patch that is not an object', () => {
  assert.throws(() => applyStrategicMergePatch({}, [], pod), 'must be a JSON object');
});

interface Recorded {
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly then: Json;
}

test('matches Kubernetes for recorded patches of Deployments', () => {
  const path = new URL('../golden/strategic-merge-patch/deployments.json', import.meta.url);
  const cases: Recorded[] = JSON.parse(readFileSync(path, 'utf8'));
  assert.ok(cases.length >= 50);
  for (const { original, patch, then } of cases) {
    const before = JSON.stringify(original);
    assert.equal(applyStrategicMergePatch(original, patch, deployment), then, JSON.stringify(patch));
    assert.is(JSON.stringify(original), before);
  }
});

test.run();
