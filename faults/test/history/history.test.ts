import type { KubeObject } from '@meshrelay/kube-sim';
import { assert, test } from '@meshrelay/testing';
import { isOfStatus } from '../../src/history/history.ts';

function certificate(more: object, version = '1'): KubeObject {
  const metadata = { name: 'cacerts', namespace: 'istio-system', generation: 1, resourceVersion: version };
  return { apiVersion: 'certificates.meshrelay.dev/v1alpha1', kind: 'IssuedCertificate', metadata, ...more };
}

test('a write of the status is distinguished from one of anything else', () => {
  const previous = certificate({ spec: { trustDomain: 'a' } });
  const object = (more: object) => certificate({ ...more, status: { state: 'ISSUED' } }, '2');
  assert.is(isOfStatus({ previous, object: object({ spec: { trustDomain: 'a' } }) }), true);
  assert.is(isOfStatus({ previous, object: object({ spec: { trustDomain: 'b' } }) }), false);
  assert.is(isOfStatus({ object: object({ spec: { trustDomain: 'a' } }) }), false, 'a new object');
  const labelled = object({ spec: { trustDomain: 'a' } });
  labelled.metadata.labels = { team: 'web' };
  assert.is(isOfStatus({ previous, object: labelled }), false);
});

test.run();
