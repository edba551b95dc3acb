/** The pods that OSM's injector selects, by annotations of namespaces and pods. */
import type { Pod } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { isInjected } from '../../src/discover/injection.ts';

type Labels = Readonly<Record<string, string>>;
const INJECTION = 'openservicemesh.io/sidecar-injection';
const monitored = { 'openservicemesh.io/monitored-by': 'osm' };
const pod = (annotations: Labels = {}, spec: object = {}): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', annotations }, spec }) as unknown as Pod;
const asking = { labels: monitored, annotations: { [INJECTION]: 'enabled' } };

test('pods of a monitored namespace with injection enabled are injected, unless they disable it', () => {
  assert.ok(isInjected(pod(), asking));
  assert.not(isInjected(pod({ [INJECTION]: 'disabled' }), asking));
  assert.not(isInjected(pod({}, { hostNetwork: true }), asking));
});

test('a pod in a monitored namespace may enable injection itself', () => {
  assert.ok(isInjected(pod({ [INJECTION]: 'yes' }), { labels: monitored }));
  assert.not(isInjected(pod({ [INJECTION]: 'yes' }), {}));
  assert.not(isInjected(pod(), { labels: monitored }));
});

test('an ignored namespace is not injected', () => {
  assert.not(isInjected(pod(), { ...asking, labels: { ...monitored, 'openservicemesh.io/ignore': 'true' } }));
});

test('a pod with a proxy needs no annotation', () => {
  const spec = { containers: [{ name: 'envoy' }], initContainers: [{ name: 'osm-init' }] };
  assert.ok(isInjected(pod({}, spec)));
});

test.run();
