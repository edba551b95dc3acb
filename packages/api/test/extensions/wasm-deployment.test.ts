// Valid modules and placements, and invalid ones that are rejected by field.
import { assert, test } from '@meshrelay/testing';
import { decodeObject } from '../../src/mod.ts';

const SHA = 'a'.repeat(64);
const HTTP = { httpUriSource: { uri: 'https://modules.example.com/auth.wasm', sha256: SHA } };

const deployment = (spec: unknown): unknown => ({
  apiVersion: 'extensions.meshrelay.dev/v1alpha1',
  kind: 'WasmDeployment',
  metadata: { name: 'auth', namespace: 'meshrelay' },
  spec,
});

/** Text of the fault. */
function found(spec: unknown): string[] {
  const { problems = [], reports = [] } = decodeObject(deployment(spec));
  return [...problems, ...reports].map(({ message, field }) => `${field}: ${message}`);
}

test('a deployment with every field is accepted', () => {
  const spec = {
    workloadSelectors: [
      { kubeWorkloadMatcher: { labels: { app: 'reviews' }, namespaces: ['bookinfo'], clusters: ['cluster-1'] } },
    ],
    filters: [
      {
        ...HTTP,
        staticFilterConfig: { header: 'x-user', nested: { list: [1, true, null] } },
        rootId: 'auth',
        filterContext: 'SIDECAR_INBOUND',
        ports: [8080],
        phase: 'AUTHN',
        failurePolicy: 'FAIL_OPEN',
      },
      { wasmImageSource: { wasmImageTag: 'registry.example.com:5000/filters/auth:v1', imagePullSecret: 'registry' } },
      { wasmImageSource: { wasmImageTag: `ghcr.io/o/auth@sha256:${SHA}`, sha256: SHA } },
      { configMapSource: { name: 'modules', namespace: 'meshrelay', key: 'auth.wasm', sha256: SHA } },
    ],
    weight: 10,
  };
  assert.equal(found(spec), []);
  assert.equal(decodeObject(deployment(spec)).object?.spec, spec);
  assert.equal(found({ filters: [HTTP] }), []);
});

const uri = (text: string) => ({ filters: [{ httpUriSource: { uri: text, sha256: SHA } }] });
const image = (wasmImageTag: string) => ({ filters: [{ wasmImageSource: { wasmImageTag } }] });

for (const [what, spec, message] of [
  ['a deployment of nothing', { filters: [] }, /spec\.filters/],
  ['a filter of two sources', { filters: [{ ...HTTP, configMapSource: { name: 'a' } }] }, /exactly one of/],
  ['a filter of none', { filters: [{}] }, /exactly one of/],
  ['an invalid hash', { filters: [{ httpUriSource: { ...HTTP.httpUriSource, sha256: 'abc' } }] }, /SHA-256/],
  ['an address without a hash', { filters: [{ httpUriSource: { uri: 'https://a.b/c' } }] }, /sha256/],
  ['a file', uri('file:///etc/passwd'), /https or http/],
  ['an address with a user', uri('https://user:word@a.b/c'), /https or http/],
  ['an address with a line break', uri('https://a.b/c\n'), /https or http/],
  ['an image without a tag', image('registry.example.com/auth'), /tag or digest/],
  ['an image with a scheme', image('oci://registry.example.com/auth:v1'), /tag or digest/],
  ['an image that climbs', image('registry.example.com/../auth:v1'), /tag or digest/],
  ['a key that is a path', { filters: [{ configMapSource: { name: 'a', key: '../b' } }] }, /key of a ConfigMap/],
  ['an invalid port', { filters: [{ ...HTTP, ports: [0] }] }, /ports/],
  ['an unknown phase', { filters: [{ ...HTTP, phase: 'LAST' }] }, /phase/],
  ['an unknown context', { filters: [{ ...HTTP, filterContext: 'INBOUND' }] }, /filterContext/],
  ['an unknown failure policy', { filters: [{ ...HTTP, failurePolicy: 'open' }] }, /failurePolicy/],
] as const)
  test(`${what} is rejected`, () => assert.match(found(spec).join('; '), message));

test.run();
