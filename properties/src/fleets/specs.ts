/** Random specs of policies: every field of the schemas, over the names that a fleet has. */
import { crds, type StructuralSchema } from '@meshrelay/api/crds';
import { arbitrary } from '@meshrelay/testing/arbitrary-value';
import fc from 'fast-check';
import type { Names } from './names.ts';
import { selectorsOver } from './selectors.ts';

const one = fc.constantFrom;
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 2 });

/** Specs of each kind of policy. */
export interface PolicySpecs {
  readonly TrafficPolicy: fc.Arbitrary<object>;
  readonly AccessPolicy: fc.Arbitrary<object>;
  readonly VirtualMesh: fc.Arbitrary<object>;
  readonly VirtualDestination: fc.Arbitrary<object>;
  readonly AccessLogRecord: fc.Arbitrary<object>;
  readonly WasmDeployment: fc.Arbitrary<object>;
}

/** Values that a random schema value would never match, such as references, use the fleet's names. */
export function specsOver(names: Names): PolicySpecs {
  const selectors = selectorsOver(names);
  const workloadSelectors = few(selectors.workload);
  return {
    TrafficPolicy: optional({
      sourceSelector: workloadSelectors,
      destinationSelector: few(selectors.destination),
      httpRequestMatchers: few(matcher),
      policy: trafficRules(names),
    }),
    AccessPolicy: withOwn(arbitrary(within('AccessPolicy')), {
      sourceSelector: few(selectors.identity),
      destinationSelector: few(selectors.destination),
    }),
    VirtualMesh: virtualMesh(names, selectors.destination),
    VirtualDestination: virtualDestination(names, selectors.destination),
    AccessLogRecord: withOwn(arbitrary(within('AccessLogRecord')), { workloadSelectors }),
    WasmDeployment: fc
      .tuple(
        withOwn(arbitrary(within('WasmDeployment')), { workloadSelectors }),
        fc.array(wasmFilter, { minLength: 1, maxLength: 2 }),
      )
      .map(([rest, filters]) => ({ ...rest, filters })),
  };
}

function optional<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>;
}

/** A spec of random values, except for these fields. */
function withOwn(random: fc.Arbitrary<unknown>, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const without = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !(name in fields)));
  return fc.tuple(random, optional(fields)).map(([value, own]) => ({ ...without(value as object), ...own }));
}

const matcher = fc.oneof(
  one(
    { uri: { prefix: '/a' } },
    { uri: { exact: '/a' } },
    { uri: { prefix: '/' } },
    { method: 'GET' },
    { headers: [{ name: 'x-user' }] },
  ),
  arbitrary(within('TrafficPolicy', 'httpRequestMatchers').items as StructuralSchema),
);

const rules = within('TrafficPolicy', 'policy').properties ?? {};
const percentage = one(undefined, 0, 12.5, 100);

/** Two of the dozen fields: more would nearly always conflict. */
function trafficRules(names: Names): fc.Arbitrary<object> {
  const own: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    trafficShift: fc.oneof(
      { weight: 4, arbitrary: serviceShift(names) },
      { weight: 1, arbitrary: virtualShift(names) },
    ),
    mirror: fc.record({ kubeService: names.service, percentage, port: fc.option(names.port, { nil: undefined }) }),
  };
  const fields = Object.entries(rules).map(([name, schema]) =>
    (own[name] ?? arbitrary(schema)).map((value) => [name, value] as const),
  );
  return fc.array(fc.oneof(...fields), { maxLength: 2 }).map((all) => Object.fromEntries(all) as object);
}

function serviceShift({ service, port }: Names): fc.Arbitrary<object> {
  const target = fc.record({
    kubeService: service,
    subset: one(undefined, { version: 'v1' }),
    port: fc.option(port, { nil: undefined }),
    options: one(undefined, undefined, HEADERS),
    weight: one(undefined, 0, 1, 10, 1_000_000),
  });
  // At least one weight is above 0.
  const shift = fc.tuple(fc.array(target, { minLength: 1, maxLength: 3 }), one(undefined, 1, 90));
  return shift.map(([targets, first]) => ({
    destinations: targets.map(({ kubeService, options, weight, ...more }, index) => ({
      weight: index === 0 ? first : weight,
      kubeService: { ...kubeService, ...more },
      options,
    })),
  }));
}

const HEADERS = {
  headerManipulation: { appendRequestHeaders: { 'x-tried': 'yes' }, removeResponseHeaders: ['server'] },
};

function virtualShift({ policy }: Names): fc.Arbitrary<object> {
  return policy.map((name) => ({
    destinations: [{ weight: 100, virtualDestination: { name, namespace: 'meshrelay' } }],
  }));
}

function virtualMesh({ meshes }: Names, destinationSelector: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const member = (name: string): object => ({ name, namespace: 'meshrelay' });
  return fc
    .record({
      members: meshes,
      trust: one({ shared: {} }, { shared: {} }, {}, { limited: {} }),
      strict: fc.boolean(),
      mode: one('ALL', 'SELECTED', 'NONE', undefined),
      selectors: few(
        fc.record({ selector: destinationSelector, first: fc.option(meshes.map((all) => all.slice(0, 1))) }),
      ),
      suffix: one(undefined, 'mesh'),
      flat: one(false, false, true),
      gateways: one(
        undefined,
        undefined,
        [{ destinationSelectors: [{ kubeServiceMatcher: { labels: { istio: 'ingressgateway' } } }] }],
        [{ destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'gw' } } }], portName: 'tls' }],
        [{ portName: 'nothing' }],
      ),
      tcpKeepalive: one(undefined, undefined, {}, { probes: 3, time: '60s', interval: '5s' }),
      globalAccessPolicy: one('ENABLED', 'DISABLED', 'MESH_DEFAULT'),
    })
    .map(({ members, trust, strict, mode, selectors, suffix, flat, gateways, tcpKeepalive, globalAccessPolicy }) => ({
      meshes: members.map(member),
      mtlsConfig: { ...(strict ? { strict } : {}), ...trust },
      federation: {
        mode,
        ...(mode === 'SELECTED' || mode === undefined
          ? {
              selectors: selectors.map(({ selector, first }) => ({
                destinationSelectors: [selector],
                ...(first === null ? {} : { meshes: first.map(member) }),
              })),
            }
          : {}),
        hostnameSuffix: suffix,
        ...(flat ? { flatNetwork: true } : {}),
        eastWestIngressGatewaySelectors: gateways,
        tcpKeepalive,
      },
      globalAccessPolicy,
    }));
}

/** Ports of every protocol in the schema; most often one that Services have. */
const virtualPort = fc.oneof(
  one(
    { number: 80, protocol: 'HTTP' },
    { number: 80, protocol: 'HTTP' },
    { number: 8080, protocol: 'GRPC', targetNumber: 80 },
    { number: 5432, protocol: 'TCP' },
  ),
  fc.record({
    number: one(80, 443, 5432),
    protocol: one('HTTP2', 'HTTPS', 'TLS', 'MONGO'),
    targetName: one(undefined, 'http', 'tcp-db'),
  }),
);

function virtualDestination(
  { policy, meshes, service, hostname }: Names,
  destinationSelector: fc.Arbitrary<object>,
): fc.Arbitrary<object> {
  return fc
    .record({
      hostname,
      port: virtualPort,
      scope: fc.oneof(
        policy.map((name) => ({ virtualMesh: { name, namespace: 'meshrelay' } })),
        meshes.map((all) => ({ meshList: { meshes: all.map((name) => ({ name, namespace: 'meshrelay' })) } })),
      ),
      behind: fc.oneof(
        fc.array(service, { minLength: 1, maxLength: 4 }).map((services) => ({
          static: { destinations: services.map((kubeService) => ({ kubeService })) },
        })),
        fc
          .tuple(
            arbitrary(within('VirtualDestination', 'localized')),
            fc.oneof(
              fc.constant({ kubeServiceMatcher: { labels: { app: 'cart' }, namespaces: ['shop'] } }),
              destinationSelector,
            ),
          )
          .map(([localized, selector]) => ({
            localized: { ...(localized as object), destinationSelectors: [selector] },
          })),
      ),
    })
    .map(({ scope, behind, ...rest }) => ({ ...rest, ...scope, ...behind }));
}

/** A module from any source; the other fields of a filter are random values of the schema. */
const wasmFilter = fc
  .tuple(
    arbitrary(within('WasmDeployment', 'filters').items as StructuralSchema),
    one<object>(
      { httpUriSource: { uri: 'https://modules.example/1.wasm', sha256: 'a'.repeat(64) } },
      { wasmImageSource: { wasmImageTag: 'modules.example/b:1' } },
      { configMapSource: { name: 'modules', namespace: 'shop', key: 'a.wasm' } },
    ),
  )
  .map(([random, source]) => {
    const {
      httpUriSource: _uri,
      wasmImageSource: _image,
      configMapSource: _map,
      ...rest
    } = random as Record<string, unknown>;
    return { ...rest, ...source };
  });

/** A part of a kind's spec, from its CRD. */
function within(kind: string, ...path: readonly string[]): StructuralSchema {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  const found = path.reduce<StructuralSchema | undefined>((inner, name) => inner?.properties?.[name], schema);
  if (found === undefined) throw new Error(`the CRD of ${kind} has no ${path.join('.')}`);
  return found;
}
