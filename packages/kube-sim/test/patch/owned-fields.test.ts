/** Fields that an applied object claims, by the kind of schema. */
import { assert, test } from '@meshrelay/testing';
import type { Json } from '../../src/object.ts';
import { writeFieldsV1 } from '../../src/patch/field-set.ts';
import { ownedFields } from '../../src/patch/owned-fields.ts';
import { widgetSchema } from './widget.ts';

const claims: [name: string, spec: Json, expected: Json][] = [
  ['scalars', { color: 'red', size: 1, ios: '5%' }, { 'f:color': {}, 'f:size': {}, 'f:ios': {} }],
  [
    'what is in a declared object, not the object',
    { nested: { a: 1, b: { c: 'x' } } },
    { 'f:nested': { 'f:a': {}, 'f:b': { 'f:c': {} } } },
  ],
  ['an empty object', { nested: { b: {} } }, { 'f:nested': { 'f:b': {} } }],
  ['null', { color: null }, { 'f:color': {} }],
  [
    'items of a keyed list, by given and defaulted keys',
    { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] },
    {
      'f:ports': {
        'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
        'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
      },
    },
  ],
  ['values of a set', { tags: ['b', 'a'] }, { 'f:tags': { 'v:"a"': {}, 'v:"b"': {} } }],
  ['nothing of an empty keyed list', { ports: [], color: 'x' }, { 'f:color': {} }],
  ['atomic and untyped lists whole', { atom: ['x'], plain: [{ x: '1' }] }, { 'f:atom': {}, 'f:plain': {} }],
  ['atomic maps whole', { atomap: { x: '1' } }, { 'f:atomap': {} }],
  [
    'keys of a map',
    { lab: { a: '1' }, maps: { k: { x: '1' } } },
    { 'f:lab': { 'f:a': {} }, 'f:maps': { 'f:k': { '.': {}, 'f:x': {} } } },
  ],
  [
    'preserved content member by member, lists in it whole',
    { free: { q: { r: 1, l: [{ x: 1 }] } } },
    { 'f:free': { 'f:q': { '.': {}, 'f:r': {}, 'f:l': {} } } },
  ],
  [
    'declared and unknown members side by side',
    { half: { known: 'x', q: { r: 1 } } },
    { 'f:half': { 'f:known': {}, 'f:q': { '.': {}, 'f:r': {} } } },
  ],
];

for (const [name, spec, expected] of claims) {
  test(name, () => assert.equal(writeFieldsV1(ownedFields(widgetSchema, { spec })), { 'f:spec': expected }));
}

test.run();
