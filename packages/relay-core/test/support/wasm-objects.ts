/** WasmDeployments of a small fleet, with frequently overlapping selectors and names. */
import fc from 'fast-check';
import type { Placed } from './placed.ts';

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(arbitrary, { maxLength: 2 });
const SHA256 = 'a'.repeat(64);

const matcher = fc.record(
  {
    labels: one<Record<string, string>>({ app: 'a' }, { app: 'b', version: 'v1' }, { tier: 'front' }),
    namespaces: few(one('x', 'y')),
    clusters: few(one('c1', 'c2', 'c3')),
  },
  { requiredKeys: [] },
);

/** One without a source is invalid, so the last accepted spec matters. */
const source = one<object>(
  { httpUriSource: { uri: 'https://a.example.com/1.wasm', sha256: SHA256 } },
  { wasmImageSource: { wasmImageTag: 'a.example.com/b:1', imagePullSecret: 'secret' } },
  { configMapSource: { name: 'modules' } },
  { configMapSource: { name: 'modules', namespace: 'y', key: 'a.wasm' } },
  {},
);

const filter = fc
  .tuple(
    source,
    fc.record(
      {
        filterContext: one('ANY', 'SIDECAR_INBOUND', 'GATEWAY'),
        ports: few(one(80, 8080)),
        phase: one('AUTHN', 'STATS'),
        failurePolicy: one('FAIL_OPEN', 'FAIL_CLOSED'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([from, rest]) => ({ ...from, ...rest }));

export const wasmDeployment: fc.Arbitrary<Placed> = fc
  .record({
    cluster: one('', '', 'c1', 'c2'),
    name: one('wasm-1', 'wasm-2', 'wasm-3'),
    namespace: one('policies', 'meshrelay', 'x'),
    spec: fc.record(
      {
        workloadSelectors: few(fc.record({ kubeWorkloadMatcher: matcher }, { requiredKeys: [] })),
        filters: fc.array(filter, { minLength: 1, maxLength: 2 }),
        weight: fc.nat(2),
      },
      { requiredKeys: ['filters'] },
    ),
  })
  .map(({ cluster, name, namespace, spec }) => ({
    cluster,
    object: {
      apiVersion: 'extensions.meshrelay.dev/v1alpha1',
      kind: 'WasmDeployment',
      metadata: { name, namespace },
      spec,
    } as Placed['object'],
  }));
