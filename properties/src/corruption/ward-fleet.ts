/** A fleet with an object of every kind that is read, as a base for corruptions. */
import type { KubeObject } from '@meshrelay/api';
import * as istio from '@meshrelay/plugin-istio/fixture';
import { expandFleet } from '@meshrelay/plugin-kit';
import * as osm from '@meshrelay/plugin-osm/fixture';
import type { Change } from '../fleets/fleet.ts';

const services = {
  'cart.shop': { ports: ['http:80:8080'], versions: ['v1', 'v2'] },
  'pay.shop': { ports: ['tcp-db:5432'] },
};
const gateway = (address: string) => ({
  'gw.istio-system': {
    ports: ['tls:15443'],
    labels: { istio: 'ingressgateway' },
    selector: { istio: 'ingressgateway' },
    loadBalancer: address,
  },
});
const idle = (cluster: string): KubeObject[] =>
  [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { 'istio-injection': 'enabled' } } },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: `idle-${cluster}`, namespace: 'shop' },
      spec: {
        template: { metadata: { labels: { app: 'idle' } }, spec: { serviceAccountName: 'idle', containers: [] } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'idle', namespace: 'shop' },
      spec: { selector: { app: 'idle' }, ports: [{ name: 'http', port: 80 }] },
    },
    {
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      metadata: { name: 'own', namespace: 'bank', labels: { app: 'own' } },
      spec: {
        hosts: ['own.example'],
        gateways: ['mesh'],
        http: [{ route: [{ destination: { host: 'own.example' } }] }],
      },
    },
  ] as unknown as KubeObject[];
const written = (apiVersion: string, kind: string, name: string, spec: unknown, more: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'bank' }, spec, ...more }) as unknown as KubeObject;

/** Users' own Istio objects, which conflict with no generated one, and controllers of both other kinds. */
const usersOfIstio: readonly KubeObject[] = [
  written('networking.istio.io/v1', 'DestinationRule', 'own', {
    host: 'own.example',
    subsets: [{ name: 'v1', labels: { version: 'v1' } }],
    trafficPolicy: { tls: { mode: 'ISTIO_MUTUAL' } },
  }),
  written('networking.istio.io/v1', 'ServiceEntry', 'own', {
    hosts: ['own.example'],
    addresses: ['240.9.9.9'],
    ports: [{ number: 80, name: 'http', protocol: 'HTTP' }],
    endpoints: [{ address: '192.0.2.1', ports: { http: 80 } }],
  }),
  written('networking.istio.io/v1', 'Gateway', 'own', {
    selector: { app: 'own' },
    servers: [
      { port: { number: 443, name: 'tls', protocol: 'TLS' }, hosts: ['own.example'], tls: { mode: 'PASSTHROUGH' } },
    ],
  }),
  written('networking.istio.io/v1', 'Sidecar', 'own', {
    workloadSelector: { labels: { app: 'own' } },
    egress: [{ hosts: ['bank/*'] }],
  }),
  written('security.istio.io/v1', 'PeerAuthentication', 'own', {
    selector: { matchLabels: { app: 'own' } },
    mtls: { mode: 'PERMISSIVE' },
    portLevelMtls: { 8080: { mode: 'DISABLE' } },
  }),
  written('security.istio.io/v1', 'AuthorizationPolicy', 'own', {
    selector: { matchLabels: { app: 'own' } },
    rules: [{ from: [{ source: { principals: ['a/ns/b/sa/c'] } }], to: [{ operation: { methods: ['GET'] } }] }],
  }),
  written('apps/v1', 'DaemonSet', 'agents', {
    template: { metadata: { labels: { app: 'agents' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
  }),
  written(
    'apps/v1',
    'ReplicaSet',
    'owned',
    { template: { metadata: { labels: { app: 'own' } } } },
    {
      metadata: {
        name: 'owned',
        namespace: 'bank',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'own', controller: true }],
      },
    },
  ),
  written(
    'v1',
    'Pod',
    'owned-1',
    { serviceAccountName: 'own', nodeName: 'node-1', containers: [{ name: 'istio-proxy' }] },
    {
      metadata: {
        name: 'owned-1',
        namespace: 'bank',
        labels: { app: 'own' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owned', controller: true }],
      },
      status: { phase: 'Running', podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }, { ip: '2001:db8::9' }] },
    },
  ),
  written('admin.meshrelay.dev/v1alpha1', 'WorkspaceSettings', 'bank', {
    exportTo: [{ workspace: { name: 'shops' }, resources: [{ kind: 'Destination', labels: { app: 'own' } }] }],
    importFrom: [{ workspace: { name: 'shops' }, resources: [{ kind: 'Destination', namespace: 'shop' }] }],
  }),
];

/** The same for OSM. */
const osmObjects: readonly KubeObject[] = [
  written('access.smi-spec.io/v1alpha3', 'TrafficTarget', 'own', {
    destination: { kind: 'ServiceAccount', name: 'own', namespace: 'bank' },
    sources: [{ kind: 'ServiceAccount', name: 'else', namespace: 'bank' }],
    rules: [{ kind: 'HTTPRouteGroup', name: 'own', matches: ['all'] }],
  }),
  written('specs.smi-spec.io/v1alpha4', 'HTTPRouteGroup', 'own', {
    matches: [{ name: 'all', pathRegex: '.*', methods: ['*'] }],
  }),
  written('specs.smi-spec.io/v1alpha4', 'TCPRoute', 'own', { matches: { ports: [5432] } }),
  written('split.smi-spec.io/v1alpha2', 'TrafficSplit', 'own', {
    service: 'own',
    backends: [{ service: 'own-v1', weight: 1 }],
  }),
  written('policy.openservicemesh.io/v1alpha1', 'Retry', 'own', {
    source: { kind: 'ServiceAccount', name: 'own', namespace: 'bank' },
    destinations: [{ kind: 'Service', name: 'own', namespace: 'bank' }],
    retryPolicy: { numRetries: 1 },
  }),
  written('policy.openservicemesh.io/v1alpha1', 'UpstreamTrafficSetting', 'own', {
    host: 'own.bank.svc.cluster.local',
  }),
  written('config.openservicemesh.io/v1alpha2', 'MeshRootCertificate', 'own', {
    trustDomain: 'cluster.local',
    provider: { tresor: { ca: { secretRef: { name: 'own', namespace: 'bank' } } } },
  }),
];

const names = ['east', 'west'] as const;
const SHOPS = ['shop', 'istio-system', 'osm-system'] as const;
const istioFleet = expandFleet(
  {
    about: '',
    clusters: Object.fromEntries(
      names.map((name, index) => [
        name,
        {
          services: { ...services, ...gateway(`198.51.100.${index + 1}`) },
          objects: [...idle(name), ...usersOfIstio],
          region: name,
        },
      ]),
    ),
    management: [
      {
        Settings: 'settings',
        spec: { patches: { istio: { meshConfig: true } }, mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } },
      },
      { KubernetesCluster: 'east', spec: { clusterDomain: 'east.example', suspended: false } },
      { Ledger: 'ledger-own', spec: { vips: [{ host: 'own.anywhere', address: '240.0.9.9' }] } },
      {
        Workspace: 'shops',
        spec: {
          clusters: [
            { name: '*', namespaces: SHOPS.map((name) => ({ name })) },
            { name: '', namespaces: [{}] },
          ],
        },
      },
      {
        WorkspaceSettings: 'shops',
        spec: {
          exportTo: [{ workspace: { name: 'bank' }, resources: [{ kind: 'Destination', labels: { app: 'cart' } }] }],
        },
      },
      { Workspace: 'bank', spec: { clusters: [{ name: '*', namespaces: [{ name: 'bank' }] }] } },
      {
        VirtualDestination: 'anywhere',
        spec: {
          hostname: 'cart.anywhere',
          port: { number: 80, protocol: 'HTTP' },
          virtualMesh: { name: 'vm', namespace: 'meshrelay' },
          localized: {
            destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'cart' }, namespaces: ['shop'] } }],
            outlierDetection: { consecutiveErrors: 3, interval: '10s' },
          },
        },
      },
      {
        VirtualMesh: 'vm',
        spec: {
          meshes: names.map((name) => ({ name: `istiod-istio-system-${name}`, namespace: 'meshrelay' })),
          federation: { mode: 'ALL' },
          globalAccessPolicy: 'ENABLED',
        },
      },
      {
        TrafficPolicy: 'shift',
        spec: {
          destinationSelector: [
            { kubeServiceRefs: { services: [{ name: 'cart', namespace: 'shop', clusterName: 'east' }] } },
          ],
          httpRequestMatchers: [{ uri: { prefix: '/api' }, headers: [{ name: 'h', value: 'v' }] }],
          policy: {
            trafficShift: {
              destinations: [
                {
                  weight: 60,
                  kubeService: { name: 'cart', namespace: 'shop', clusterName: 'east', subset: { version: 'v1' } },
                },
                { weight: 40, kubeService: { name: 'cart', namespace: 'shop', clusterName: 'west' } },
              ],
            },
            retries: { attempts: 2, perTryTimeout: '1s' },
          },
        },
      },
      {
        AccessPolicy: 'readers',
        spec: {
          sourceSelector: [
            { kubeServiceAccountRefs: { serviceAccounts: [{ name: 'pay', namespace: 'shop', clusterName: 'east' }] } },
          ],
          destinationSelector: [
            { kubeServiceMatcher: { labels: { app: 'cart' }, namespaces: ['shop'], clusters: ['east', 'north'] } },
          ],
          allowedMethods: ['GET'],
        },
      },
    ],
  },
  { type: 'istio', fixture: istio },
);
const osmFleet = expandFleet(
  { about: '', clusters: { north: { services, objects: osmObjects } } },
  { type: 'osm', fixture: osm },
);

/** All of it. */
export const WARD_FLEET: readonly Change[] = [
  ...[...istioFleet.clusters, ...osmFleet.clusters].flatMap(({ name, objects: all }) =>
    all.map((object) => ({ cluster: name, object, gone: false })),
  ),
  ...istioFleet.management.map((object) => ({ cluster: '', object, gone: false })),
];
