/** Statuses of meshes and destinations list the effective configuration. */
import type { Destination, DestinationStatus, EndpointSubset, KubeObject, Mesh } from '@meshrelay/api';
import { key, type MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import {
  createControlPlane,
  createGraph,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  setObject,
  settle,
} from '../../src/mod.ts';
import { BAG, fakePlugin } from '../support/fake-plugin.ts';

/** Any injective function is sufficient, because no value is secret. */
const hash = (text: string): string =>
  [...text]
    .reduce((sum, char) => (sum * 31n + BigInt(char.charCodeAt(0))) % (1n << 128n), 7n)
    .toString(16)
    .padStart(32, '0');

function mesh(cluster: string): Mesh {
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Mesh',
    metadata: { name: 'istiod', namespace: 'istio-system' },
    spec: { type: 'fake', cluster, installation: { namespace: 'istio-system' }, trustDomain: 'td' },
  };
}

function service(cluster: string, endpointSubsets: readonly EndpointSubset[] = []): Destination {
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Destination',
    metadata: { name: 'reviews', namespace: 'shop' },
    spec: {
      kubeService: {
        ref: { name: 'reviews', namespace: 'shop', clusterName: cluster },
        workloadSelectorLabels: { app: 'reviews' },
        ports: [{ port: 80, name: 'http' }],
        endpointSubsets,
        serviceType: 'CLUSTER_IP',
      },
      mesh: { name: 'istiod', namespace: 'istio-system' },
    },
  };
}

function gateway(cluster: string): Destination {
  const { spec, ...rest } = service(cluster);
  return {
    ...rest,
    metadata: { name: 'gateway', namespace: 'istio-system' },
    spec: {
      ...spec,
      kubeService: {
        ...spec.kubeService,
        ref: { name: 'gateway', namespace: 'istio-system', clusterName: cluster },
        labels: { role: 'gateway' },
        ports: [{ port: 15443, name: 'tls', targetPortNumber: 8443 }],
        externalAddresses: [{ ip: '172.18.0.1' }, { dnsName: 'gw.example' }],
        serviceType: 'LOAD_BALANCER',
      },
    },
  };
}

const virtualMesh: KubeObject = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'VirtualMesh',
  metadata: { name: 'all', namespace: 'meshrelay', generation: 3 },
  spec: {
    meshes: [
      { name: 'istiod-istio-system-a', namespace: 'meshrelay' },
      { name: 'istiod-istio-system-b', namespace: 'meshrelay' },
    ],
    federation: {
      mode: 'ALL',
      eastWestIngressGatewaySelectors: [
        { destinationSelectors: [{ kubeServiceMatcher: { labels: { role: 'gateway' } } }] },
      ],
    },
  },
};

const timeout: KubeObject = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'slow', namespace: 'meshrelay', generation: 2 },
  spec: {
    destinationSelector: [
      { kubeServiceRefs: { services: [{ name: 'reviews', namespace: 'shop', clusterName: 'a' }] } },
    ],
    policy: { requestTimeout: '1s' },
  },
};

function statusesWith(...management: readonly KubeObject[]) {
  return statusesOf({ gatewaysIn: ['a', 'b'], plugin: fakePlugin() }, ...management);
}

interface Fleet {
  readonly gatewaysIn: readonly string[];
  readonly plugin: LoadedPlugin;
  readonly pods?: readonly EndpointSubset[];
  /** User objects in cluster b. */
  readonly present?: readonly KubeObject[];
}

function statusesOf({ gatewaysIn, plugin, pods, present = [] }: Fleet, ...management: readonly KubeObject[]) {
  const graph = createGraph({ freeze: true });
  const options = { plugins: [plugin], hash };
  const control = createControlPlane(graph, options);
  graph.commit((transaction) => {
    for (const cluster of ['a', 'b']) {
      transaction.set(control.fleetState.clusters, key(cluster), {
        name: cluster,
        domain: 'cluster.local',
        suspended: false,
      });
      setObject(transaction, control.fleetState, cluster, mesh(cluster));
      setObject(transaction, control.fleetState, cluster, service(cluster, pods));
      if (gatewaysIn.includes(cluster)) setObject(transaction, control.fleetState, cluster, gateway(cluster));
    }
    for (const object of present) setObject(transaction, control.fleetState, 'b', object);
    for (const object of management) setObject(transaction, control.fleetState, MANAGEMENT_CLUSTER, object);
  });
  settle(control, options);
  return control.shown.activate().statuses;
}

test('a member mesh names its virtual mesh and its gateways', () => {
  const status = statusesWith(virtualMesh).get(key('Mesh', 'istiod-istio-system-a'));
  assert.equal(status, {
    appliedVirtualMesh: { ref: { name: 'all', namespace: 'meshrelay' }, observedGeneration: 3 },
    appliedEastWestIngressGateways: [
      {
        destinationRef: { name: 'gateway-istio-system-a', namespace: 'meshrelay' },
        externalAddresses: ['172.18.0.1', 'gw.example'],
        destinationPort: 15443,
        containerPort: 8443,
      },
    ],
  });
});

test('a destination lists its hostnames, the meshes it is federated to, and its policies', () => {
  const status = statusesWith(virtualMesh, timeout).get(key('Destination', 'reviews-shop-a'));
  assert.equal(status, {
    localFqdn: 'reviews.shop.svc.cluster.local',
    appliedTrafficPolicies: [
      { ref: { kind: 'TrafficPolicy', cluster: '', namespace: 'meshrelay', name: 'slow' }, observedGeneration: 2 },
    ],
    appliedFederation: {
      federatedHostname: 'reviews.shop.svc.a.global',
      federatedToMeshes: [{ name: 'istiod-istio-system-b', namespace: 'meshrelay' }],
      virtualMeshRef: { kind: 'VirtualMesh', cluster: '', namespace: 'meshrelay', name: 'all' },
    },
  });
});

test('a destination that no mesh can reach is not federated', () => {
  const federationIn = (fleet: Fleet, by = virtualMesh) => {
    const found = statusesOf(fleet, by, timeout).get(key('Destination', 'reviews-shop-a'));
    return (found as DestinationStatus | undefined)?.appliedFederation;
  };
  const plugin = fakePlugin();
  assert.not.equal(federationIn({ gatewaysIn: ['a'], plugin }), undefined);
  assert.is(federationIn({ gatewaysIn: ['b'], plugin }), undefined);
  const spec = virtualMesh['spec'] as { readonly meshes: readonly object[] };
  const flat = { ...virtualMesh, spec: { ...spec, federation: { mode: 'ALL', flatNetwork: true } } };
  assert.is(federationIn({ gatewaysIn: ['a', 'b'], plugin }, flat), undefined, 'it has no pods');
  const endpoints = [{ ipAddress: '10.0.0.1', labels: {} }];
  const pods = [{ endpoints, ports: [{ port: 80, name: 'http' }] }];
  assert.is(federationIn({ gatewaysIn: [], plugin, pods }, flat)?.flatNetwork, true);
  const unable = fakePlugin({
    capabilities: { ...plugin.plugin.capabilities, 'mesh.federation.gateway': { unsupported: 'not here' } },
  });
  assert.is(federationIn({ gatewaysIn: ['a', 'b'], plugin: unable }), undefined);
});

test('a mesh in which the object for a hostname is not applied does not have the hostname, and the reason is reported', () => {
  const users = (name: string, spec = {}): KubeObject => {
    return { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name, namespace: 'shop' }, spec };
  };
  const objectConflicts: MeshPlugin['objectConflicts'] = {
    indexKeys: ({ metadata }) => (metadata.name.startsWith('conflict') ? ['name'] : []),
    lookupKeys: () => ['name'],
    detect: ({ metadata }, unmanaged) => {
      if (metadata.name !== 'endpoints.reviews.a') return undefined;
      return { effect: unmanaged.metadata.name === 'conflict.only' ? 'notApplied' : 'info', text: 'has the name' };
    },
  };
  const federation = (object?: KubeObject) => {
    const plugin = fakePlugin({ objectConflicts });
    const fleet = { gatewaysIn: ['a', 'b'], plugin, present: object === undefined ? [] : [object] };
    const found = statusesOf(fleet, virtualMesh).get(key('Destination', 'reviews-shop-a'));
    const { federatedToMeshes, notFederatedToMeshes } = (found as DestinationStatus).appliedFederation ?? {};
    return { to: federatedToMeshes, from: notFederatedToMeshes };
  };
  const mesh = { name: 'istiod-istio-system-b', namespace: 'meshrelay' };
  const known = { to: [mesh], from: undefined };
  assert.equal(federation(), known);
  assert.equal(federation(users('conflict.additional')), known, 'an additional object changes nothing');
  assert.equal(federation(users('reach.reviews.a')), known, 'routes are not the name');
  assert.equal(federation(users('conflict.only')), {
    to: undefined,
    from: [
      {
        mesh,
        message:
          'Sheet shop/conflict.only of cluster b, which is not managed by Meshrelay, has the name; the generated Sheet endpoints.reviews.a is not applied until you delete or change yours',
      },
    ],
  });
  assert.equal(federation(users('endpoints.reviews.a')), {
    to: undefined,
    from: [
      {
        mesh,
        message:
          'Sheet shop/endpoints.reviews.a of cluster b exists and is not managed by Meshrelay, so it stays unchanged; rename it, or label it meshrelay.dev/owner=meshrelay to let Meshrelay manage it',
      },
    ],
  });
});

test('if hostnames are parts of one object, a mesh without the object has none of them', () => {
  const bag = { apiVersion: 'fake.example/v1', kind: 'Bag', metadata: { name: 'names', namespace: 'fake' }, spec: {} };
  const plugin = fakePlugin({
    translateEndpoints({ destination, consumer, virtualMesh: sourcePolicies }, out) {
      const to = { cluster: consumer.cluster, kind: BAG, namespace: 'fake', name: 'names' };
      out.contribute(to, { slot: destination.key, value: destination.name }, [sourcePolicies]);
    },
  });
  const meshesOf = (present: readonly KubeObject[]) => {
    const statuses = statusesOf({ gatewaysIn: ['a', 'b'], plugin, present }, virtualMesh);
    const { federatedToMeshes = [], notFederatedToMeshes = [] } =
      (statuses.get(key('Destination', 'reviews-shop-a')) as DestinationStatus).appliedFederation ?? {};
    return { to: federatedToMeshes.length, from: notFederatedToMeshes.length };
  };
  assert.equal(meshesOf([]), { to: 1, from: 0 });
  assert.equal(meshesOf([bag]), { to: 0, from: 1 });
});

const virtualDestination: KubeObject = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'VirtualDestination',
  metadata: { name: 'reviews', namespace: 'meshrelay', generation: 4 },
  spec: {
    hostname: 'reviews.example',
    port: { number: 80, protocol: 'HTTP' },
    virtualMesh: { name: 'all', namespace: 'meshrelay' },
    static: {
      destinations: [{ kubeService: { name: 'reviews', namespace: 'shop', clusterName: 'a' } }],
    },
  },
};

const appliedVirtually = [
  { ref: { kind: 'VirtualDestination', cluster: '', namespace: 'meshrelay', name: 'reviews' }, observedGeneration: 4 },
];

test('a virtual destination lists the meshes that can call it and its backends', () => {
  const statuses = statusesWith(virtualMesh, virtualDestination);
  const virtually = (kind: string, name: string) => {
    const status = statuses.get(key(kind, name));
    return status === undefined ? undefined : (status.appliedVirtualDestinations ?? []);
  };
  assert.equal(virtually('Mesh', 'istiod-istio-system-a'), appliedVirtually);
  assert.equal(virtually('Mesh', 'istiod-istio-system-b'), appliedVirtually);
  assert.equal(virtually('Destination', 'reviews-shop-a'), appliedVirtually);
  assert.is(virtually('Destination', 'reviews-shop-b'), undefined);
});

test('a destination without any other configuration has a status if it is a backend of a hostname', () => {
  const alone = { ...virtualMesh, spec: { ...(virtualMesh['spec'] as object), federation: { mode: 'NONE' } } };
  const statuses = statusesWith(alone, virtualDestination);
  assert.equal(statuses.get(key('Destination', 'reviews-shop-a')), {
    localFqdn: 'reviews.shop.svc.cluster.local',
    appliedVirtualDestinations: appliedVirtually,
  });
  assert.is(statuses.has(key('Destination', 'reviews-shop-b')), false);
});

test('without configuration a status is absent', () => {
  assert.is(statusesWith().size, 0);
});

test.run();
