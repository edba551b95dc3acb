/** Hosts of users over hosts of ours: the same, a wildcard over them, or neither. */
import type { MeshFacts } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { covers, wordOf, wordsCovering } from '../../src/rivalry/hosts.ts';

const OURS = 'reviews.shop.svc.corp.example';
const MESHES = [
  { clusterDomain: 'cluster.local' },
  { clusterDomain: 'corp.example' },
] as unknown as readonly MeshFacts[];

for (const [theirs, namespace, cover] of [
  [OURS, 'team', 'same'],
  ['reviews', 'shop', 'same'],
  ['reviews', 'team', undefined],
  ['other', 'shop', undefined],
  ['reviews.shop', 'shop', undefined],
  ['*', 'team', 'wildcard'],
  ['*.corp.example', 'team', 'wildcard'],
  ['*.shop.svc.corp.example', 'team', 'wildcard'],
  ['*.op.svc.corp.example', 'team', undefined],
  [`*.${OURS}`, 'team', undefined],
  ['other.shop.svc.corp.example', 'team', undefined],
] as const) {
  test(`${theirs} of namespace ${namespace} is ${cover ?? 'no host'} of ours, and found where it is one`, () => {
    assert.is(covers(theirs, namespace, OURS, MESHES), cover);
    if (cover !== undefined) assert.ok(wordsCovering(OURS).includes(wordOf(theirs, namespace)));
  });
}

test.run();
