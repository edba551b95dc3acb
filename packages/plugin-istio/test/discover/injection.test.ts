/**
 * The pods that Istio's injector selects, by labels of namespace and pod; outputs stay after the last pod is deleted.
 */
import type { KubeObject } from '@meshrelay/api';
import type { Pod } from '@meshrelay/plugin';
import { sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { injectedRevision } from '../../src/discover/injection.ts';
import { controlPlane } from '../../src/fixture.ts';
import istio from '../../src/mod.ts';

type Labels = Readonly<Record<string, string>>;
const pod = (labels: Labels = {}, annotations: Labels = {}, spec: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', labels, annotations },
    spec,
  }) as unknown as Pod;
const proxy = { containers: [{ name: 'istio-proxy' }] };
const INJECT = 'sidecar.istio.io/inject';
const REVISION = 'istio.io/rev';

const CASES: ReadonlyArray<readonly [what: string, namespace: Labels, pod: Pod, revision: string | undefined]> = [
  ['no label', {}, pod(), undefined],
  ['the namespace asks', { 'istio-injection': 'enabled' }, pod(), 'default'],
  ['the namespace refuses', { 'istio-injection': 'disabled' }, pod({ [INJECT]: 'true' }), undefined],
  ['the namespace has a revision', { [REVISION]: 'canary' }, pod(), 'canary'],
  ['injection goes before a revision', { 'istio-injection': 'enabled', [REVISION]: 'canary' }, pod(), 'default'],
  ['the pod asks', {}, pod({ [INJECT]: 'true' }), 'default'],
  ['the pod asks for a revision', {}, pod({ [REVISION]: 'canary' }), 'canary'],
  ['the pod refuses', { 'istio-injection': 'enabled' }, pod({ [INJECT]: 'false' }), undefined],
  ['the pod refuses in the old way', { [REVISION]: 'canary' }, pod({}, { [INJECT]: 'false' }), undefined],
  ['an annotation alone has no effect', {}, pod({}, { [INJECT]: 'true' }), undefined],
  [
    'pods of the host network are left alone',
    { 'istio-injection': 'enabled' },
    pod({}, {}, { hostNetwork: true }),
    undefined,
  ],
  ['the template has its proxy', {}, pod({ [REVISION]: 'canary' }, {}, proxy), 'canary'],
];

for (const [what, namespace, template, revision] of CASES)
  test(what, () => assert.is(injectedRevision(template, namespace), revision));

const object = (apiVersion: string, kind: string, name: string, more: object, metadata: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', ...metadata }, ...more }) as unknown as KubeObject;
const labels = { app: 'cart' };
const spec = { serviceAccountName: 'cart', containers: [{ name: 'app' }] };

/** The outputs for a Service with an access rule, with and without pods. */
function outputs(running: boolean): string {
  const objects = [
    ...controlPlane({}),
    object('v1', 'Namespace', 'shop', {}, { namespace: undefined, labels: { 'istio-injection': 'enabled' } }),
    object('v1', 'Service', 'cart', { spec: { selector: labels, ports: [{ name: 'http', port: 80 }] } }),
    object('apps/v1', 'StatefulSet', 'cart', { spec: { template: { metadata: { labels }, spec } } }),
    ...(running
      ? [
          object(
            'v1',
            'Pod',
            'cart-0',
            { spec: { ...spec, containers: [{ name: 'app' }, { name: 'istio-proxy' }] } },
            { labels },
          ),
        ]
      : []),
  ];
  const policy = object('networking.meshrelay.dev/v1alpha1', 'AccessPolicy', 'strict', { spec: { action: 'DENY' } });
  const fleet = buildFleet({
    clusters: [{ name: 'c1', objects }],
    management: [policy],
    plugins: loadPlugins([{ module: 'istio', plugin: istio }]),
    hash: sha256,
  });
  return JSON.stringify([...fleet.desired.entries()].map(([, one]) => one.object));
}

test('an access rule stays after the last pod is deleted', () => {
  assert.match(outputs(true), 'AuthorizationPolicy');
  assert.is(outputs(false), outputs(true));
});

test.run();
