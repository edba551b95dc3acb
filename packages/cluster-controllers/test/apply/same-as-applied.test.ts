/** An object is left unchanged exactly when it still contains what was applied. */
import type { KubeObject } from '@meshrelay/api';
import { output } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { marked } from '../../src/apply/marks.ts';
import { sameAsApplied } from '../../src/apply/same-as-applied.ts';

const HASH = 'a'.repeat(32);
const required = output('VirtualService', 'a', { hosts: ['a'], http: [{ route: [{ weight: 1 }] }], empty: {} });
const live = (change: (object: Record<string, unknown>) => void = () => {}): KubeObject => {
  const object = structuredClone({ ...marked(required, HASH, 4), status: { seen: true } }) as unknown as Record<
    string,
    unknown
  >;
  change(object);
  return object as unknown as KubeObject;
};
const spec = (object: Record<string, unknown>) => object['spec'] as Record<string, unknown>;

test('an applied object is the same, whatever the server and others add', () => {
  assert.ok(sameAsApplied(live(), required, HASH));
  assert.ok(
    sameAsApplied(
      live((object) => Object.assign(spec(object), { added: 1 })),
      required,
      HASH,
    ),
  );
  assert.ok(
    sameAsApplied(
      live((object) => delete spec(object)['empty']),
      required,
      HASH,
    ),
    'empty is pruned',
  );
  assert.ok(
    sameAsApplied(
      live((object) => Object.assign(spec(object), { http: [{ route: [{ weight: 1, port: 2 }] }] })),
      required,
      HASH,
    ),
    'defaults within lists',
  );
});

test('another value, a shorter or longer list, a missing label or another output is not', () => {
  const different: Array<(object: Record<string, unknown>) => void> = [
    (object) => Object.assign(spec(object), { hosts: ['b'] }),
    (object) => Object.assign(spec(object), { hosts: ['a', 'b'] }),
    (object) => Object.assign(spec(object), { hosts: { 0: 'a' } }),
    (object) => delete spec(object)['http'],
    (object) => delete object['spec'],
    (object) => delete (object['metadata'] as { labels?: object }).labels,
    (object) => delete (object['metadata'] as { annotations?: object }).annotations,
  ];
  for (const change of different) assert.not(sameAsApplied(live(change), required, HASH), change.toString());
  assert.not(sameAsApplied(live(), required, 'b'.repeat(32)), 'a field that is left out now');
});

test.run();
