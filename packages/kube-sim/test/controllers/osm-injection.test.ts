/** OSM's sidecar in new pods: which pods get it, and its content. */
import { assert, test } from '@meshrelay/testing';
import { injectOsmSidecar } from '../../src/controllers/osm-injection.ts';
import type { KubeObject } from '../../src/object.ts';

const inject = injectOsmSidecar({ version: '1.2.4' });
const MONITORED = { 'openservicemesh.io/monitored-by': 'osm' };
const ENABLED = { 'openservicemesh.io/sidecar-injection': 'enabled' };

function pod(metadata: object = {}, spec: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  };
}

function namespace(labels: Record<string, string>, annotations: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', labels, annotations } };
}

const names = (list: ReadonlyArray<{ readonly name: string }> = []): string[] => list.map(({ name }) => name);

const rules: [what: string, pod: KubeObject, namespace: KubeObject | undefined, injected: boolean][] = [
  ['a monitored namespace that asks', pod(), namespace(MONITORED, ENABLED), true],
  ['a monitored namespace that does not ask', pod(), namespace(MONITORED, {}), false],
  ['a pod that asks', pod({ annotations: ENABLED }), namespace(MONITORED, {}), true],
  [
    'a pod that refuses',
    pod({ annotations: { 'openservicemesh.io/sidecar-injection': 'disabled' } }),
    namespace(MONITORED, ENABLED),
    false,
  ],
  ['a namespace of another mesh', pod(), namespace({ 'openservicemesh.io/monitored-by': 'other' }, ENABLED), false],
  ['no namespace', pod({ annotations: ENABLED }), undefined, false],
  ['a pod on the host network', pod({}, { hostNetwork: true }), namespace(MONITORED, ENABLED), false],
];

for (const [what, given, where, injected] of rules) {
  test(`${what}: ${injected ? 'sidecar' : 'no sidecar'}`, () => {
    assert.equal(names(inject(given, where)['spec'].containers), injected ? ['main', 'envoy'] : ['main']);
  });
}

test('the sidecar is what OSM injects: proxy, init container and its own label, once', () => {
  const where = namespace(MONITORED, ENABLED);
  const first = inject(pod(), where);
  assert.equal(names(first['spec'].initContainers), ['osm-init']);
  assert.match(first.metadata.labels?.['osm-proxy-uuid'] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const other = inject(pod({ name: 'q' }), where);
  assert.is.not(other.metadata.labels?.['osm-proxy-uuid'], first.metadata.labels?.['osm-proxy-uuid']);
  assert.equal(inject(first, where), first);
});

test.run();
