/** A fleet with every kind of match, access rule, log and name, each for a separate destination. */
import type { HttpMatcher, StringMatch } from '@meshrelay/api';
import type { ViewField } from '@meshrelay/plugin';
import { isSupportedBy } from '../capability/claim.ts';
import { ANY_RULES } from '../capability/probe.ts';
import { bookshop, probePolicies } from '../capability/probe-fleet.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import type { TestFleet } from './property.ts';

/** The policies for a Service of this name. */
interface Sample {
  readonly needs: readonly ViewField[];
  readonly policies: (name: string) => readonly PolicySpec[];
}

const VIRTUAL_MESH = 'values-mesh';

function serviceOf(name: string, clusterName: string = 'cluster-1'): object {
  return { name, namespace: 'shop', clusterName };
}

function destinationOf(name: string): readonly object[] {
  return [{ kubeServiceRefs: { services: [serviceOf(name)] } }];
}

function workloadsOf(name: string): readonly object[] {
  return [{ kubeWorkloadMatcher: { labels: { app: name }, clusters: ['cluster-1'] } }];
}

function matched(needs: readonly ViewField[], matcher: HttpMatcher): Sample {
  return {
    needs,
    policies: (name) => [
      {
        TrafficPolicy: name,
        spec: { destinationSelector: destinationOf(name), httpRequestMatchers: [matcher], policy: ANY_RULES },
      },
    ],
  };
}

function path(needs: ViewField, uri: StringMatch): Sample {
  return matched([needs], { uri });
}

function called(needs: readonly ViewField[], kubeWorkloadMatcher: object): Sample {
  return {
    needs,
    policies: (name) => [
      {
        TrafficPolicy: name,
        spec: {
          destinationSelector: destinationOf(name),
          sourceSelector: [{ kubeWorkloadMatcher }],
          policy: ANY_RULES,
        },
      },
    ],
  };
}

function allowed(needs: readonly ViewField[], spec: object): Sample {
  const serviceAccounts = ['buyer', 'new-books'].map((account) => serviceOf(account));
  const sourceSelector = [{ kubeServiceAccountRefs: { serviceAccounts } }];
  return {
    needs,
    policies: (name) => [
      { AccessPolicy: name, spec: { destinationSelector: destinationOf(name), sourceSelector, ...spec } },
    ],
  };
}

function logged(needs: readonly ViewField[], spec: object): Sample {
  return {
    needs: ['accessLog.requests', ...needs],
    policies: (name) => [{ AccessLogRecord: name, spec: { workloadSelectors: workloadsOf(name), ...spec } }],
  };
}

function filtered(needs: readonly ViewField[], filter: object): Sample {
  return {
    needs,
    policies: (name) => [{ WasmDeployment: name, spec: { workloadSelectors: workloadsOf(name), filters: [filter] } }],
  };
}

function named(needs: readonly ViewField[], spec: (name: string) => object): Sample {
  return {
    needs,
    policies: (name) => [
      {
        VirtualDestination: name,
        spec: {
          hostname: `${name}.anywhere`,
          port: { number: 80, protocol: 'HTTP' },
          virtualMesh: { name: VIRTUAL_MESH, namespace: 'meshrelay' },
          ...spec(name),
        },
      },
    ],
  };
}

const MODULE = { httpUriSource: { uri: 'https://modules.example.com/auth.wasm', sha256: 'b'.repeat(64) } };

const SAMPLES: readonly Sample[] = [
  path('match.uri.exact', { exact: '/exact' }),
  path('match.uri.prefix', { prefix: '/prefix' }),
  path('match.uri.regex', { regex: '/regex' }),
  path('match.uri.suffix', { suffix: '/suffix' }),
  matched(['match.headers'], {
    headers: [
      { name: 'x-is', value: 'this' },
      { name: 'x-is-not', value: 'that', invertMatch: true },
      { name: 'x-fits', value: 'expression', regex: true },
    ],
  }),
  matched(['match.queryParameters'], {
    queryParameters: [
      { name: 'page', value: 'one' },
      { name: 'sheet', value: 'expression', regex: true },
    ],
  }),
  matched(['match.method'], { method: 'GET' }),
  called(['source.labels'], { labels: { app: 'buyer', version: 'v1' } }),
  called(['source.namespaces'], { namespaces: ['shop'] }),
  allowed(['access.allow'], {}),
  allowed(['access.deny'], { action: 'DENY' }),
  allowed(['access.audit'], { action: 'AUDIT' }),
  allowed(['access.paths'], { allowedPaths: ['/whole', '/prefix*', '*/suffix'] }),
  allowed(['access.methods'], { allowedMethods: ['GET', 'POST'] }),
  allowed(['access.ports'], { allowedPorts: [8080] }),
  allowed(['access.exclusions'], { notPaths: ['/whole', '/prefix*'], notMethods: ['DELETE'] }),
  allowed(['access.sources.namespaces'], { sourceSelector: [{ kubeIdentityMatcher: { namespaces: ['shop'] } }] }),
  allowed(['access.sources.trustDomains'], { sourceSelector: [{ kubeIdentityMatcher: {} }] }),
  logged(['accessLog.filters.status'], { filters: [{ statusCodeMatcher: { value: 500, comparator: 'GE' } }] }),
  logged(['accessLog.filters.header'], { filters: [{ headerMatcher: { name: 'x-debug', value: 'on' } }] }),
  logged(['accessLog.requestHeaders'], { includedRequestHeaders: ['x-request-one', 'x-request-two'] }),
  logged(['accessLog.responseHeaders'], { includedResponseHeaders: ['x-response-one'] }),
  logged(['accessLog.responseTrailers'], { includedResponseTrailers: ['x-trailer-one'] }),
  logged(['accessLog.filterState'], { includedFilterStateObjects: ['state-one'] }),
  filtered(['wasm.http', 'wasm.phase', 'wasm.failOpen'], { ...MODULE, phase: 'AUTHN', failurePolicy: 'FAIL_OPEN' }),
  filtered(['wasm.http', 'wasm.inbound', 'wasm.ports'], { ...MODULE, filterContext: 'SIDECAR_INBOUND', ports: [8080] }),
  filtered(['wasm.image', 'wasm.image.sha256'], {
    wasmImageSource: { wasmImageTag: 'registry.example.com/filters/auth:v1', sha256: 'c'.repeat(64) },
  }),
  named(['virtualDestination.static'], (name) => ({
    static: { destinations: ['cluster-1', 'cluster-2'].map((cluster) => ({ kubeService: serviceOf(name, cluster) })) },
  })),
  named(['virtualDestination.static'], (name) => ({
    static: { destinations: ['cluster-2', 'cluster-1'].map((cluster) => ({ kubeService: serviceOf(name, cluster) })) },
  })),
  named(['virtualDestination.localized'], (name) => ({
    localized: {
      destinationSelectors: [{ kubeServiceMatcher: { labels: { app: name }, namespaces: ['shop'] } }],
      outlierDetection: { consecutiveErrors: 6, interval: '20s', baseEjectionTime: '40s', maxEjectionPercent: 60 },
    },
  })),
];

/** Two clusters, federated, with strict access, and a destination for each sample that the mesh supports. */
export function allValuesFleet(tested: TestedPlugin): TestFleet {
  const { capabilities } = tested.plugin;
  const samples = SAMPLES.filter(({ needs }) => needs.every((field) => isSupportedBy(capabilities, field)));
  const names = samples.map((_, index) => `value-${index}`);
  const fleet = bookshop(tested, names);
  const around: PolicySpec = {
    VirtualMesh: VIRTUAL_MESH,
    spec: {
      globalAccessPolicy: 'ENABLED',
      mtlsConfig: { strict: true, shared: {} },
      federation: { mode: 'ALL', tcpKeepalive: { time: '77s', probes: 5, interval: '8s' } },
    },
  };
  const policies = samples.flatMap((sample, index) => sample.policies(names[index] ?? ''));
  return {
    name: 'every kind of value',
    fleet: { ...fleet, management: probePolicies([around, ...policies], fleet, tested) },
  };
}
