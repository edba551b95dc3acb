/** Responses as text: the cached serialization equals a new one. */
import { assert, test } from '@meshrelay/testing';
import { textOf } from '../src/kube/answer-text.ts';

const object = { kind: 'Sheet', metadata: { name: 'a "quoted" one' }, spec: { line: 1, nothing: undefined } };

test('an object, a list and a status equal their JSON', () => {
  const list = { kind: 'List', metadata: { resourceVersion: '7' }, items: [object, { ...object, spec: {} }] };
  const status = { kind: 'Status', code: 404, message: 'not found' };
  for (const body of [object, list, { ...list, items: [] }, status, object])
    assert.equal(JSON.parse(textOf(body)), JSON.parse(JSON.stringify(body)));
});

test.run();
