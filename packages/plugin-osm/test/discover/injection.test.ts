/** Which pods OSM's injector takes, by its namespaces' and pods' annotations. */
import type { Pod } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { isInjected } from '../../src/discover/injection.ts';

type Labels = Readonly<Record<string, string>>;
const INJECTION = 'openservicemesh.io/sidecar-injection';
const monitored = { 'openservicemesh.io/monitored-by': 'osm' };
const pod = (annotations: Labels = {}, spec: object = {}): Pod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', annotations }, spec }) as unknown as Pod;
const asking = { labels: monitored, annotations: { [INJECTION]: 'enabled' } };

test('a monitored namespace that asks has its pods injected, but those that refuse', () => {
  assert.ok(isInjected(pod(), asking));
  assert.not(isInjected(pod({ [INJECTION]: 'disabled' }), asking));
  assert.not(isInjected(pod({}, { hostNetwork: true }), asking));
});

test('a pod may ask for itself, in a monitored namespace', () => {
  assert.ok(isInjected(pod({ [INJECTION]: 'yes' }), { labels: monitored }));
  assert.not(isInjected(pod({ [INJECTION]: 'yes' }), {}));
  assert.not(isInjected(pod(), { labels: monitored }));
});

test('an ignored namespace is left alone', () => {
  assert.not(isInjected(pod(), { ...asking, labels: { ...monitored, 'openservicemesh.io/ignore': 'true' } }));
});

test('a pod with its proxy needs nobody to ask', () => {
  const spec = { containers: [{ name: 'envoy' }], initContainers: [{ name: 'osm-init' }] };
  assert.ok(isInjected(pod({}, spec)));
});

test.run();
