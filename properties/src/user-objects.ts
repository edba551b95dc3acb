/** Objects of users' own, of kinds that plugins write: they must stay as they are whatever we do. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import { CLUSTER_NAMES, type Event, NAMESPACES, SERVICES } from './world.ts';

const shapes: ReadonlyArray<(name: string, namespace: string) => Omit<KubeObject, 'metadata'>> = [
  (name, namespace) => ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    spec: { hosts: [`${name}.${namespace}.svc.cluster.local`] },
  }),
  (name, namespace) => ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'DestinationRule',
    spec: { host: `${name}.${namespace}.svc.cluster.local` },
  }),
  (name) => ({
    apiVersion: 'security.istio.io/v1',
    kind: 'AuthorizationPolicy',
    spec: { selector: { matchLabels: { app: name } } },
  }),
  (name) => ({ apiVersion: 'split.smi-spec.io/v1alpha2', kind: 'TrafficSplit', spec: { service: name, backends: [] } }),
];

/** A user's object comes or goes; sometimes under the very name that ours would have. */
export const userObjectEvent: fc.Arbitrary<Event> = fc
  .record({
    cluster: fc.constantFrom(...CLUSTER_NAMES),
    namespace: fc.constantFrom(...NAMESPACES),
    service: fc.constantFrom(...SERVICES),
    shape: fc.constantFrom(...shapes),
    ours: fc.boolean(),
    gone: fc.nat(3),
  })
  .map(({ cluster, namespace, service, shape, ours, gone }) => [
    {
      cluster,
      gone: gone === 0,
      object: {
        ...shape(service, namespace),
        metadata: { name: ours ? `meshrelay-${service}` : `their-${service}`, namespace },
      } as KubeObject,
    },
  ]);
