/**
 * Callers that use the TLS mode of Settings while pods reject such connections: reports on Settings, with or without a
 * VirtualMesh.
 */
import { type ClusterSpec, expandFleet, type PolicySpec, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins, valuesInOrder } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);

function peerAuthentication(namespace: string, mode: string, created: string) {
  return {
    apiVersion: 'security.istio.io/v1',
    kind: 'PeerAuthentication',
    metadata: { name: `is-${mode.toLowerCase()}`, namespace, creationTimestamp: created },
    spec: { mtls: { mode } },
  };
}

/** The messages on Settings for callers of pods with these objects. */
function messages(tlsMode: string | undefined, objects: readonly ReturnType<typeof peerAuthentication>[]): string[] {
  return messagesOf(tlsMode, { services: { 'web.shop': { ports: ['http:80'] } }, objects });
}

function messagesOf(tlsMode: string | undefined, cluster: ClusterSpec, policies: readonly PolicySpec[] = []): string[] {
  const settings: PolicySpec[] =
    tlsMode === undefined ? [] : [{ Settings: 'settings', spec: { mtls: { istio: { tlsMode } } } }];
  const fleet = {
    about: 'callers by default',
    clusters: { 'cluster-1': cluster },
    management: [...settings, ...policies],
  };
  const plane = buildFleet({ ...expandFleet(fleet, { type: 'istio', fixture }), plugins, hash: sha256 });
  return valuesInOrder(plane.resolved.settingsNotes)
    .flat()
    .map(({ message }) => message);
}

const ELDER = '2026-01-01T00:00:00Z';
const YOUNGER = '2026-01-02T00:00:00Z';
const strict = peerAuthentication('istio-system', 'STRICT', ELDER);
const off = peerAuthentication('shop', 'DISABLE', ELDER);

test('a PeerAuthentication that requires mutual TLS is reported if Settings disables TLS', () => {
  const [message = '', ...others] = messages('DISABLE', [strict, off]);
  assert.match(message, 'PeerAuthentication istio-system/is-strict of cluster cluster-1');
  assert.match(message, 'tlsMode DISABLE');
  assert.equal(others, []);
});

test('one that accepts no TLS is reported if Settings requires it', () => {
  const [message = '', ...others] = messages('ISTIO_MUTUAL', [strict, off]);
  assert.match(message, 'PeerAuthentication shop/is-disable of cluster cluster-1');
  assert.equal(others, []);
});

test('sidecars reject TLS other than that of the mesh, independent of PeerAuthentications', () => {
  const [message = '', ...others] = messages('SIMPLE', []);
  assert.match(message, 'sidecars of mesh istio-system/istiod of cluster cluster-1');
  assert.equal(others, []);
  assert.is(messages('SIMPLE', [strict]).length, 2);
});

test('nothing is reported if pods accept the callers, or if an older object takes effect', () => {
  assert.equal(messages(undefined, [strict, off]), []);
  assert.equal(messages('DISABLE', [off]), []);
  assert.equal(messages('ISTIO_MUTUAL', [strict]), []);
  const younger = peerAuthentication('shop', 'STRICT', YOUNGER);
  assert.equal(messages('DISABLE', [off, younger]), []);
});

const HALF: ClusterSpec = {
  services: {
    'web.shop': { ports: ['http:80'] },
    'bare.shop': { ports: ['http:80'], sidecars: false },
    'half.shop': { ports: ['http:80'], versions: ['v1', 'v2'], sidecars: ['v1'] },
  },
};

function policyOn(name: string, policy: object): PolicySpec {
  const services = [{ name: 'half', namespace: 'shop', clusterName: 'cluster-1' }];
  return { TrafficPolicy: name, spec: { destinationSelector: [{ kubeServiceRefs: { services } }], policy } };
}

test('pods without a sidecar, of a Service with others, are reported if Settings requires mutual TLS', () => {
  const [message = '', ...others] = messagesOf('ISTIO_MUTUAL', HALF);
  assert.match(message, 'some pods of Service shop/half (Pod/half-v2) of cluster cluster-1 have no sidecar');
  assert.match(message, 'tlsMode ISTIO_MUTUAL');
  assert.equal(others, []);
  const unrelated = policyOn('unrelated', { retries: { attempts: 0 } });
  assert.equal(messagesOf('ISTIO_MUTUAL', HALF, [unrelated]), [message]);
});

test('they are not reported if Settings does not require it, or a policy sets another mode for the Service', () => {
  assert.equal(messagesOf(undefined, HALF), []);
  assert.equal(messagesOf('DISABLE', HALF), []);
  const plaintext = policyOn('plaintext', { mtls: { istio: { tlsMode: 'DISABLE' } } });
  assert.equal(messagesOf('ISTIO_MUTUAL', HALF, [plaintext]), []);
});

test.run();
