/** Server-side apply, with cases recorded from a real server. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { builtinSchema } from '../../src/builtin-schemas/builtin-schema.ts';
import { type Json, type KubeObject, type SchemaNode, StatusError } from '../../src/object.ts';
import { serverSideApply } from '../../src/patch/server-side-apply.ts';
import { apply, NOW, owned, rejection, update, widget, widgetSchema } from './widget.ts';

test('creating by apply owns the sent fields and nothing else', () => {
  const created = apply('m1', widget({ ports: [{ port: 80, name: 'http' }], color: 'red' }));
  assert.equal(created.metadata.managedFields, [
    {
      manager: 'm1',
      operation: 'Apply',
      apiVersion: 'ex.io/v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:color': {},
          'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
        },
      },
    },
  ]);
});

test('another value is a conflict that names the owner and the field', () => {
  const live = apply('m1', widget({ ports: [{ port: 80, name: 'a' }] }));
  try {
    apply('m2', widget({ ports: [{ port: 80, name: 'b' }] }), { live });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, StatusError);
    assert.equal((error as StatusError).status, {
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "m1": .spec.ports[port=80,protocol="TCP"].name',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "m1"',
            field: '.spec.ports[port=80,protocol="TCP"].name',
          },
        ],
      },
    });
  }
});

test('several conflicts are listed by owner', () => {
  const live = apply('m1', widget({ atom: ['a'], atomap: { x: '1' }, plain: [{ x: '1' }] }));
  const requested = widget({ atom: ['b'], atomap: { x: '2' }, plain: [{ x: '2' }] });
  assert.is(
    rejection(() => apply('m2', requested, { live })),
    'Apply failed with 3 conflicts: conflicts with "m1":\n- .spec.atom\n- .spec.atomap\n- .spec.plain',
  );
});

test('a conflict with an updater names its version, and its subresource', () => {
  const live = update('upd', widget({ color: 'red' }));
  assert.is(
    rejection(() => apply('m', widget({ color: 'blue' }), { live })),
    'Apply failed with 1 conflict: conflict with "upd" using ex.io/v1: .spec.color',
  );
  const reported = apply('ctl', widget(undefined, { status: { phase: 'A' } }), { live, subresource: 'status' });
  const requested = widget(undefined, { status: { phase: 'B' } });
  assert.is(
    rejection(() => apply('m', requested, { live: reported, subresource: 'status' })),
    'Apply failed with 1 conflict: conflict with "ctl" with subresource "status": .status.phase',
  );
});

test('the same value has several owners', () => {
  const live = apply('m1', widget({ color: 'red' }));
  const both = apply('m2', widget({ color: 'red' }), { live });
  assert.equal(owned(both, 'm1'), owned(both, 'm2'));
});

test('force takes the field from its owner', () => {
  const live = apply('m1', widget({ color: 'red', size: 1 }));
  const forced = apply('m2', widget({ color: 'blue' }), { live, force: true });
  assert.is(forced['spec'].color, 'blue');
  assert.equal(owned(forced, 'm1'), { 'f:spec': { 'f:size': {} } });
  assert.equal(owned(forced, 'm2'), { 'f:spec': { 'f:color': {} } });
});

test('omitted fields are removed if no other manager owns them, including whole list items', () => {
  const live = apply('m1', widget({ color: 'red', ports: [{ port: 80, name: 'a' }, { port: 81 }], lab: { k: 'v' } }));
  const defaulted: KubeObject = structuredClone(live);
  for (const port of defaulted['spec'].ports) port.protocol = 'TCP';
  assert.equal(apply('m1', widget({ color: 'red', ports: [{ port: 81 }] }), { live: defaulted })['spec'], {
    color: 'red',
    ports: [{ port: 81, protocol: 'TCP' }],
  });
});

test('omitted fields stay if another manager owns them', () => {
  const live = apply('m1', widget({ color: 'red', tags: ['a', 'b'] }));
  const both = apply('m2', widget({ color: 'red', tags: ['b'] }), { live });
  const less = apply('m1', widget(undefined), { live: both });
  assert.equal(less['spec'], { color: 'red', tags: ['b'] });
  assert.is(owned(less, 'm1'), undefined);
});

test('fields without an owner stay', () => {
  const live = apply('m1', widget({ nested: { a: 1 } }));
  live['spec'].nested.b = { c: 'defaulted' };
  const changed = apply('m1', widget({ nested: { a: 2 } }), { live });
  assert.equal(changed['spec'].nested, { a: 2, b: { c: 'defaulted' } });
});

test('applying the same again changes nothing, not even the time', () => {
  const live = apply('m1', widget({ color: 'red', nested: { b: { c: 'x' } } }));
  const request = { live, applied: widget({ color: 'red', nested: { b: { c: 'x' } } }), manager: 'm1', force: false };
  const again = serverSideApply({ ...request, schema: widgetSchema, apiVersion: 'ex.io/v1', now: NOW + 60_000 });
  assert.is(again.changed, false);
  assert.is(again.object, live);
});

test('becoming an owner of an existing value only changes owners', () => {
  const live = apply('m1', widget({ color: 'red' }));
  const request = { live, applied: widget({ color: 'red' }), manager: 'm2', force: false };
  const result = serverSideApply({ ...request, schema: widgetSchema, apiVersion: 'ex.io/v1', now: NOW });
  assert.is(result.changed, true);
  assert.equal(result.object['spec'], live['spec']);
});

test('appliers come before updaters, then by time, then by name', () => {
  let live = update('b-updater', widget({ lab: { a: '1' } }), { seconds: 1 });
  live = update('a-updater', widget({ lab: { a: '1', b: '1' } }), { live, seconds: 1 });
  live = apply('late', widget({ color: 'red' }), { live, seconds: 9 });
  live = apply('early', widget({ size: 1 }), { live, seconds: 5 });
  const order = live.metadata.managedFields?.map(({ manager }) => manager);
  assert.equal(order, ['early', 'late', 'a-updater', 'b-updater']);
});

test('an applier is the same in every version, an updater one per version', () => {
  const beta = (object: KubeObject): KubeObject => ({ ...object, apiVersion: 'ex.io/v1beta1' });
  let live = apply('m', widget({ color: 'red' }));
  live = apply('m', beta(widget({ color: 'red', size: 1 })), { live: beta(live) });
  assert.equal(
    live.metadata.managedFields?.map(({ apiVersion }) => apiVersion),
    ['ex.io/v1beta1'],
  );
  live = update('u', widget({ color: 'red', size: 1, flag: true }), { live: { ...live, apiVersion: 'ex.io/v1' } });
  live = update('u', beta(widget({ color: 'red', size: 1, flag: true, ios: 1 })), { live: beta(live) });
  const versions = live.metadata.managedFields
    ?.filter(({ manager }) => manager === 'u')
    .map(({ apiVersion }) => apiVersion);
  assert.equal(versions, ['ex.io/v1', 'ex.io/v1beta1']);
});

test('the status subresource has its own entry, and spec in its body is ignored', () => {
  const live = apply('m', widget({ color: 'red' }));
  const reported = apply('m', widget({ color: 'blue' }, { status: { phase: 'Ready' } }), {
    live,
    subresource: 'status',
  });
  assert.equal(reported['spec'], { color: 'red' });
  assert.equal(
    reported.metadata.managedFields?.map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
    [
      [undefined, { 'f:spec': { 'f:color': {} } }],
      ['status', { 'f:status': { 'f:phase': {} } }],
    ],
  );
});

test('an untracked object belongs to before-first-apply', () => {
  const live = widget({ color: 'red' });
  assert.match(
    rejection(() => apply('m', widget({ color: 'blue' }), { live })),
    'conflict with "before-first-apply" using ex.io/v1: .spec.color',
  );
  assert.equal(owned(apply('m', widget({ size: 1 }), { live }), 'before-first-apply'), {
    'f:spec': { '.': {}, 'f:color': {} },
  });
});

test('a body with managedFields, even an empty list, is rejected', () => {
  const body = widget({ color: 'red' });
  const message = rejection(() => apply('m', { ...body, metadata: { ...body.metadata, managedFields: [] } }));
  assert.is(message, 'metadata.managedFields must be nil');
});

const faults: [name: string, spec: Json, fault: string][] = [
  ['an unknown field', { unk: 1 }, '.spec.unk: field not declared in schema'],
  ['a number for text', { color: 5 }, '.spec.color: expected string, got &value.valueUnstructured{Value:5}'],
  ['text for a number', { size: 'x' }, '.spec.size: expected numeric (int or float), got string'],
  ['text for a boolean', { flag: 'x' }, '.spec.flag: expected boolean, got &{x}'],
  ['an object for a list', { ports: { a: 1 } }, '.spec.ports: expected list, got &{map[a:1]}'],
  ['a list for an object', { lab: ['x'] }, '.spec.lab: expected map, got &{[x]}'],
  [
    'two items of one key',
    { ports: [{ port: 9 }, { port: 9, protocol: 'TCP' }] },
    '.spec.ports: duplicate entries for key [port=9,protocol="TCP"]',
  ],
  ['a value twice in a set', { tags: ['d', 'd'] }, '.spec.tags: duplicate entries for key [="d"]'],
  ['a fault in an atomic list', { plain: [{ x: '1' }, { y: '1' }] }, '.spec.plain[1].y: field not declared in schema'],
];

for (const [name, spec, fault] of faults) {
  test(`${name} cannot be typed: 500 without a reason`, () => {
    const applied = widget(spec);
    const { name: _, namespace: __, ...metadata } = applied.metadata;
    try {
      apply('m', { ...applied, metadata } as KubeObject);
      assert.unreachable();
    } catch (error) {
      const { code, reason, message } = (error as StatusError).status;
      assert.equal([code, reason], [500, '']);
      assert.is(message, `failed to create typed patch object (/; ex.io/v1, Kind=Widget): ${fault}`);
    }
  });
}

test('kubectl takes over the fields it applied client-side, and updates the annotation', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = widget({ color: 'red', size: 1 });
  const annotated = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, annotations: { [key]: JSON.stringify(last) } },
  });
  const live = update('kubectl-client-side-apply', annotated(last));
  assert.match(
    rejection(() => apply('other', widget({ color: 'blue' }), { live })),
    'conflict with "kubectl-client-side-apply"',
  );
  const taken = apply('kubectl', widget({ color: 'blue' }), { live });
  assert.is(taken['spec'].color, 'blue');
  assert.equal(JSON.parse(taken.metadata.annotations?.[key] ?? ''), widget({ color: 'blue' }));
  const foreign = update('someone', annotated(widget({ color: 'green', size: 1 })), { live });
  assert.match(
    rejection(() => apply('kubectl', widget({ color: 'blue' }), { live: foreign })),
    'conflict with "someone"',
  );
});

test('a Deployment: an autoscaler keeps the replicas that the applier omits', () => {
  const schema = builtinSchema('apps/v1', 'Deployment') as SchemaNode;
  const deployment = (spec: object): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'd' } }, ...spec },
  });
  const request = { schema, apiVersion: 'apps/v1', force: false, now: NOW };
  const containers = [{ name: 'main', image: 'app:1', ports: [{ containerPort: 80 }] }];
  const pods = { template: { metadata: { labels: { app: 'd' } }, spec: { containers } } };
  let live = serverSideApply({ ...request, manager: 'm', applied: deployment({ replicas: 1, ...pods }) }).object;
  const scale = deployment({ replicas: 1 });
  live = serverSideApply({ ...request, live, manager: 'hpa', applied: { ...scale, spec: { replicas: 1 } } }).object;
  live = serverSideApply({ ...request, live, manager: 'm', applied: deployment(pods) }).object;
  assert.is(live['spec'].replicas, 1);
  assert.equal(owned(live, 'hpa'), { 'f:spec': { 'f:replicas': {} } });
  assert.equal(owned(live, 'm'), {
    'f:spec': {
      'f:selector': {},
      'f:template': {
        'f:metadata': { 'f:labels': { 'f:app': {} } },
        'f:spec': {
          'f:containers': {
            'k:{"name":"main"}': {
              '.': {},
              'f:image': {},
              'f:name': {},
              'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
            },
          },
        },
      },
    },
  });
});

interface Recorded {
  readonly steps: readonly {
    readonly op: 'apply' | 'update';
    readonly manager: string;
    readonly force: boolean;
    readonly object: KubeObject;
    readonly then?: KubeObject;
    readonly refused?: string;
  }[];
}

/** Times and nulls are not compared, nor is the order of owners, which depends on the times. */
function comparable(object: KubeObject): Json {
  const plain: KubeObject = JSON.parse(
    JSON.stringify(object, (name, value) => (value === null || name === 'time' ? undefined : value)),
  );
  plain.metadata.managedFields?.sort((a, b) => (a.operation + a.manager < b.operation + b.manager ? -1 : 1));
  return plain as unknown as Json;
}

test('matches Kubernetes for recorded histories of applies and updates', () => {
  const path = new URL('../golden/field-manager/widgets.json', import.meta.url);
  const histories: Recorded[] = JSON.parse(readFileSync(path, 'utf8'));
  assert.ok(histories.length >= 25);
  for (const { steps } of histories) {
    let live: KubeObject | undefined;
    for (const { op, manager, force, object, then, refused } of steps) {
      const step = (): KubeObject =>
        op === 'apply' ? apply(manager, object, { live, force }) : update(manager, object, { live });
      if (then === undefined) {
        assert.is(rejection(step), refused);
        continue;
      }
      live = step();
      assert.equal(comparable(live), comparable(then));
    }
  }
});

test.run();
