/** The trust domain is that of the effective root certificate. */
import { assert, test } from '@meshrelay/testing';
import { type MeshRootCertificate, trustDomainOf } from '../../src/discover/trust-domain.ts';

const root = (name: string, spec: object): MeshRootCertificate =>
  ({
    apiVersion: 'config.openservicemesh.io/v1alpha2',
    kind: 'MeshRootCertificate',
    metadata: { name, namespace: 'osm-system' },
    spec,
  }) as MeshRootCertificate;

test('without root certificates as objects it is the default', () => {
  assert.is(trustDomainOf([]), 'cluster.local');
});

test('the only root is effective', () => {
  assert.is(trustDomainOf([root('mine', { trustDomain: 'one.example' })]), 'one.example');
});

test('the active root precedes any other', () => {
  const roots = [
    root('osm-mesh-root-certificate', { trustDomain: 'old.example', intent: 'passive' }),
    root('new', { trustDomain: 'new.example', intent: 'active' }),
  ];
  assert.is(trustDomainOf(roots), 'new.example');
  assert.is(trustDomainOf(roots.toReversed()), 'new.example');
});

test("OSM's own root precedes others that are not active", () => {
  const roots = [
    root('mine', { trustDomain: 'mine.example' }),
    root('osm-mesh-root-certificate', { trustDomain: 'own.example' }),
  ];
  assert.is(trustDomainOf(roots), 'own.example');
});

for (const trustDomain of [undefined, null, '', 7]) {
  test(`a trust domain of ${JSON.stringify(trustDomain)} is ignored`, () => {
    assert.is(trustDomainOf([root('mine', { trustDomain })]), 'cluster.local');
  });
}

test.run();
