/** Random policies of random fleets, created, changed and deleted. */
import { apiVersionOf, definitionOf, type KindName, type KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import {
  CLUSTER_NAMES,
  type Event,
  MAIN_CLUSTERS,
  NAMESPACES,
  type Placed,
  POLICY_NAMES,
  SERVICES,
  someCluster,
} from './fleet.ts';
import type { Names } from './names.ts';
import { specsOver } from './specs.ts';
import { withoutInvalidFields } from './without-invalid-fields.ts';

const one = fc.constantFrom;

const NAMES: Names = {
  service: fc.record({ name: one(...SERVICES), namespace: one(...NAMESPACES), clusterName: someCluster }),
  cluster: someCluster,
  namespace: one(...NAMESPACES),
  labels: one<Record<string, string>>({ tier: 'front' }, { tier: 'back' }, { app: 'cart' }),
  account: one('cart', 'pay', 'default'),
  policy: one(...POLICY_NAMES),
  meshes: fc.oneof(subset(MAIN_CLUSTERS), subset(CLUSTER_NAMES)).map((clusters) => clusters.map(meshName)),
  port: one(80, 80, 5432),
  // Names that may collide: free ones, the name of a Service, a federated one, one that gateways use.
  hostname: one(
    'cart.anywhere',
    'cart.anywhere',
    'pay.anywhere',
    'cart.shop.svc.cluster.local',
    'cart.shop.svc.east.global',
    'one.meshrelay.vd.global',
  ),
};
const specs = specsOver(NAMES);

function subset(names: readonly string[]): fc.Arbitrary<string[]> {
  return fc.subarray([...names], { minLength: 1 });
}

function meshName(cluster: string): string {
  return cluster === 'north' || cluster === 'old-west'
    ? `osm-controller-osm-system-${cluster}`
    : `istiod-istio-system-${cluster}`;
}

/** A shift as most users write it: between Services of one cluster and namespace. */
const shiftAtHome = fc
  .record({ clusterName: someCluster, weight: one(0, 10, 50, 100) })
  .map(({ clusterName, weight }) => {
    const [cart, pay] = ['cart', 'pay'].map((name) => ({ name, namespace: 'shop', clusterName }));
    return {
      destinationSelector: [{ kubeServiceRefs: { services: [cart] } }],
      policy: {
        trafficShift: {
          destinations: [
            { weight, kubeService: { ...cart, port: 80 } },
            { weight: 100 - weight, kubeService: { ...pay, port: 80 } },
          ],
        },
      },
    };
  });

/** Access as most users write it: ServiceAccounts of the same cluster, by name. */
const accessAtHome = fc
  .record({ clusterName: someCluster, name: one('cart', 'pay'), methods: one([], ['GET'], ['GET', 'POST']) })
  .map(({ clusterName, name, methods }) => ({
    sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts: [{ name: 'pay', namespace: 'shop' }] } }],
    destinationSelector: [{ kubeServiceRefs: { services: [{ name, namespace: 'shop', clusterName }] } }],
    allowedMethods: methods,
  }));

/** The main clusters of Istio, federating all Services to each other. */
export const federation: Event = [{ ...federationOf(['east', 'west']), gone: false }];

/** The meshes of these clusters as one, federating all Services to each other. */
export function federationOf(clusters: readonly string[]): Placed {
  const object = {
    apiVersion: apiVersionOf(definitionOf('VirtualMesh')),
    kind: 'VirtualMesh',
    metadata: { name: 'one', namespace: 'meshrelay', uid: 'uid-federation' },
    spec: {
      meshes: clusters.map((cluster) => ({ name: meshName(cluster), namespace: 'meshrelay' })),
      federation: { mode: 'ALL' },
    },
  };
  return { cluster: '', object: object as unknown as KubeObject };
}

/** A policy is created, changed or deleted, in the management cluster or in a workload cluster. */
export const policyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: written('TrafficPolicy', specs.TrafficPolicy) },
  { weight: 1, arbitrary: written('TrafficPolicy', shiftAtHome) },
  { weight: 2, arbitrary: written('AccessPolicy', specs.AccessPolicy) },
  { weight: 1, arbitrary: written('AccessPolicy', accessAtHome) },
  { weight: 2, arbitrary: written('VirtualMesh', specs.VirtualMesh) },
  { weight: 1, arbitrary: written('VirtualDestination', specs.VirtualDestination) },
  { weight: 1, arbitrary: written('AccessLogRecord', specs.AccessLogRecord) },
  { weight: 1, arbitrary: written('WasmDeployment', specs.WasmDeployment) },
);

function written(kind: KindName, spec: fc.Arbitrary<unknown>): fc.Arbitrary<Event> {
  return fc
    .record({
      cluster: one('', '', '', ...CLUSTER_NAMES),
      name: one(...POLICY_NAMES),
      spec,
      generation: fc.nat(9),
      gone: fc.nat(4),
      wild: fc.nat(7),
    })
    .map(({ cluster, name, spec: value, generation, gone, wild }) => {
      const object = {
        apiVersion: apiVersionOf(definitionOf(kind)),
        kind,
        metadata: { name, namespace: 'meshrelay', uid: `uid-${kind}-${cluster}-${name}`, generation },
        spec: value,
      } as unknown as KubeObject;
      // Sometimes users write objects that break rules.
      return [{ cluster, gone: gone === 0, object: wild === 0 ? object : withoutInvalidFields(object) }];
    });
}
