/** Users' hosts that cover generated hosts: equal, a wildcard, or neither. */
import type { MeshFacts } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { covers, wordOf, wordsCovering } from '../../src/object-conflicts/hosts.ts';

const MANAGED = 'reviews.shop.svc.corp.example';
const MESHES = [
  { clusterDomain: 'cluster.local' },
  { clusterDomain: 'corp.example' },
] as unknown as readonly MeshFacts[];

for (const [unmanaged, namespace, cover] of [
  [MANAGED, 'team', 'same'],
  ['reviews', 'shop', 'same'],
  ['reviews', 'team', undefined],
  ['other', 'shop', undefined],
  ['reviews.shop', 'shop', undefined],
  ['*', 'team', 'wildcard'],
  ['*.corp.example', 'team', 'wildcard'],
  ['*.shop.svc.corp.example', 'team', 'wildcard'],
  ['*.op.svc.corp.example', 'team', undefined],
  [`*.${MANAGED}`, 'team', undefined],
  ['other.shop.svc.corp.example', 'team', undefined],
] as const) {
  test(`the host ${unmanaged} of namespace ${namespace} is ${cover ?? 'no match'}, and the index finds each match`, () => {
    assert.is(covers(unmanaged, namespace, MANAGED, MESHES), cover);
    if (cover !== undefined) assert.ok(wordsCovering(MANAGED).includes(wordOf(unmanaged, namespace)));
  });
}

test.run();
