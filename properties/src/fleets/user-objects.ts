/** Users' own objects, of kinds that plugins write: Meshrelay must never change them. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import { type Event, NAMESPACES, SERVICES, someCluster } from './fleet.ts';

type Shape = (name: string, namespace: string) => Omit<KubeObject, 'metadata'>;

const istio =
  (group: string, kind: string, spec: (name: string, host: string) => object): Shape =>
  (name, namespace) => ({
    apiVersion: `${group}.istio.io/v1`,
    kind,
    spec: spec(name, `${name}.${namespace}.svc.cluster.local`),
  });

const shapes: readonly Shape[] = [
  istio('networking', 'VirtualService', (_, host) => ({ hosts: [host] })),
  istio('networking', 'VirtualService', (name) => ({
    hosts: [name, '*.example.com'],
    gateways: ['mesh'],
    exportTo: ['.'],
  })),
  istio('networking', 'DestinationRule', (_, host) => ({ host })),
  istio('networking', 'DestinationRule', (name) => ({
    host: name,
    exportTo: ['*'],
    subsets: [{ name: 'v1', labels: { version: 'v1' } }],
    trafficPolicy: { tls: { mode: 'DISABLE' }, outlierDetection: { consecutive5xxErrors: 3 } },
  })),
  istio('networking', 'DestinationRule', (name) => ({
    host: '*.svc.cluster.local',
    workloadSelector: { matchLabels: { app: name } },
    trafficPolicy: { connectionPool: { tcp: { maxConnections: 5 } } },
  })),
  istio('networking', 'ServiceEntry', (name) => ({
    hosts: [`${name}.shop.svc.east.global`],
    addresses: ['240.0.0.7'],
    ports: [{ number: 80, name: 'http', protocol: 'HTTP' }],
  })),
  istio('networking', 'Gateway', () => ({
    selector: { istio: 'ingressgateway' },
    servers: [{ port: { number: 15443, name: 'tls', protocol: 'TLS' }, hosts: ['*.global'], tls: { mode: 'SIMPLE' } }],
  })),
  istio('networking', 'Sidecar', (name) => ({
    workloadSelector: { labels: { app: name } },
    egress: [{ hosts: ['./*'] }],
  })),
  istio('networking', 'Sidecar', () => ({ egress: [{ hosts: ['istio-system/*', './*'] }] })),
  istio('security', 'AuthorizationPolicy', (name) => ({ selector: { matchLabels: { app: name } } })),
  istio('security', 'AuthorizationPolicy', () => ({ action: 'DENY', rules: [{}] })),
  istio('security', 'PeerAuthentication', () => ({ mtls: { mode: 'PERMISSIVE' } })),
  istio('security', 'PeerAuthentication', (name) => ({
    selector: { matchLabels: { app: name } },
    portLevelMtls: { 8080: { mode: 'DISABLE' } },
  })),
  (name) => ({ apiVersion: 'split.smi-spec.io/v1alpha2', kind: 'TrafficSplit', spec: { service: name, backends: [] } }),
  (name, namespace) => ({
    apiVersion: 'policy.openservicemesh.io/v1alpha1',
    kind: 'UpstreamTrafficSetting',
    spec: { host: `${name}.${namespace}.svc.cluster.local` },
  }),
];

/** A user's object is created or deleted; sometimes under the name that a generated object would have. */
export const userObjectEvent: fc.Arbitrary<Event> = fc
  .record({
    cluster: someCluster,
    namespace: fc.constantFrom(...NAMESPACES, 'istio-system'),
    service: fc.constantFrom(...SERVICES),
    shape: fc.constantFrom(...shapes),
    managed: fc.boolean(),
    gone: fc.nat(3),
  })
  .map(({ cluster, namespace, service, shape, managed, gone }) => [
    {
      cluster,
      gone: gone === 0,
      object: {
        ...shape(service, namespace),
        metadata: { name: managed ? `meshrelay-${service}` : `their-${service}`, namespace },
      } as KubeObject,
    },
  ]);
