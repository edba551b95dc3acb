/** Ownership after creates, replacements and patches. */
import { assert, test } from '@meshrelay/testing';
import type { KubeObject } from '../../src/object.ts';
import { apply, owned, update, widget } from './widget.ts';

test('a create owns every field, with the containing objects and maps', () => {
  const created = update('creator', widget({ color: 'red', nested: { a: 1 }, ports: [{ port: 80 }], lab: { k: 'v' } }));
  assert.equal(created.metadata.managedFields, [
    {
      manager: 'creator',
      operation: 'Update',
      apiVersion: 'ex.io/v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          '.': {},
          'f:color': {},
          'f:lab': { '.': {}, 'f:k': {} },
          'f:nested': { '.': {}, 'f:a': {} },
          'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        },
      },
    },
  ]);
});

test('a change takes the changed field from its owners', () => {
  const created = update('creator', widget({ color: 'red', size: 1 }));
  const changed = update('painter', widget({ color: 'blue', size: 1 }), { live: created });
  assert.equal(owned(changed, 'painter'), { 'f:spec': { 'f:color': {} } });
  assert.equal(owned(changed, 'creator'), { 'f:spec': { '.': {}, 'f:size': {} } });
});

test('a removed field leaves every owner, and an owner without fields is dropped', () => {
  const created = update('creator', widget({ size: 1 }));
  const both = apply('applier', widget({ color: 'red' }), { live: created });
  const removed = update('creator', widget({ size: 1 }), { live: both });
  assert.is(owned(removed, 'applier'), undefined);
  assert.equal(owned(removed, 'creator'), { 'f:spec': { '.': {}, 'f:size': {} } });
});

test('a second write by the same manager adds to its entry', () => {
  const created = update('creator', widget({ size: 1 }));
  const changed = update('creator', widget({ size: 1, color: 'red' }), { live: created, seconds: 5 });
  assert.equal(owned(changed, 'creator'), { 'f:spec': { '.': {}, 'f:color': {}, 'f:size': {} } });
  assert.is(changed.metadata.managedFields?.[0]?.time, '2026-01-01T00:00:05Z');
});

test('a write that changes nothing changes no owner and no time', () => {
  const created = update('creator', widget({ size: 1 }));
  assert.equal(update('other', widget({ size: 1 }), { live: created, seconds: 5 }), created);
});

test('status is owned separately, by the subresource', () => {
  const created = update('creator', widget({ size: 1 }));
  const after: KubeObject = { ...widget({ size: 1 }), status: { phase: 'Ready' } };
  const reported = update('controller', after, { live: created, subresource: 'status' });
  const entry = reported.metadata.managedFields?.find(({ manager }) => manager === 'controller');
  assert.is(entry?.subresource, 'status');
  assert.equal(entry?.fieldsV1, { 'f:status': { '.': {}, 'f:phase': {} } });
});

test('metadata that the server sets, and fields that identify the object, have no owner', () => {
  const after = widget(undefined);
  const full: KubeObject = {
    ...after,
    metadata: {
      ...after.metadata,
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: 'x',
      labels: { a: '1' },
    },
  };
  assert.equal(owned(update('m', full), 'm'), { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
});

test('an empty manager is called unknown', () => {
  assert.is(update('', widget({ size: 1 })).metadata.managedFields?.[0]?.manager, 'unknown');
});

for (const sent of [[], [{}]]) {
  test(`managedFields: ${JSON.stringify(sent)} removes the owners of the object until its next apply`, () => {
    const created = update('creator', widget({ size: 1 }));
    const reset = widget({ size: 1 });
    const forgotten = update(
      'm',
      { ...reset, metadata: { ...reset.metadata, managedFields: sent as never } },
      { live: created },
    );
    assert.is(forgotten.metadata.managedFields, undefined);
    const untracked = update('m', widget({ size: 2 }), { live: forgotten });
    assert.is(untracked.metadata.managedFields, undefined);
    const applied = apply('m', widget({ color: 'red' }), { live: untracked });
    assert.equal(owned(applied, 'before-first-apply'), { 'f:spec': { '.': {}, 'f:size': {} } });
    assert.equal(owned(applied, 'm'), { 'f:spec': { 'f:color': {} } });
  });
}

test('a client that omits managedFields, or sends unreadable ones, removes no owner', () => {
  const created = update('creator', widget({ size: 1 }));
  const sent = [{ manager: 'x', operation: 'Merge', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }];
  const after = widget({ size: 1 });
  const same = update(
    'm',
    { ...after, metadata: { ...after.metadata, managedFields: sent as never } },
    { live: created },
  );
  assert.equal(same.metadata.managedFields, created.metadata.managedFields);
});

test('a client may remove an owner from the list', () => {
  const created = apply('a', widget({ color: 'red' }));
  const both = apply('b', widget({ size: 1 }), { live: created });
  const after = widget({ color: 'red', size: 1 });
  const retained = both.metadata.managedFields?.filter(({ manager }) => manager === 'a') ?? [];
  const released = update('m', { ...after, metadata: { ...after.metadata, managedFields: retained } }, { live: both });
  assert.equal(
    released.metadata.managedFields?.map(({ manager }) => manager),
    ['a'],
  );
});

test('more than ten updaters: the oldest become ancient-changes, appliers stay', () => {
  let live = apply('applier', widget({ color: 'red' }));
  const lab: Record<string, string> = {};
  for (let at = 0; at < 13; at++) {
    lab[`k${at}`] = 'v';
    live = update(`u${String(at).padStart(2, '0')}`, widget({ color: 'red', lab: { ...lab } }), { live, seconds: at });
  }
  const entries = live.metadata.managedFields ?? [];
  assert.is(entries.filter(({ operation }) => operation === 'Update').length, 10);
  assert.equal(owned(live, 'ancient-changes'), {
    'f:spec': { 'f:lab': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
  });
  assert.ok(owned(live, 'applier'));
});

test('items with the same key are one field', () => {
  const created = update('m', widget({ tags: ['a', 'a', 'b'] }));
  assert.equal(owned(created, 'm'), { 'f:spec': { '.': {}, 'f:tags': { '.': {}, 'v:"a"': {}, 'v:"b"': {} } } });
  const single = update('n', widget({ tags: ['a', 'b'] }), { live: created });
  assert.equal(owned(single, 'm'), { 'f:spec': { '.': {}, 'f:tags': { '.': {}, 'v:"b"': {} } } });
});

test.run();
