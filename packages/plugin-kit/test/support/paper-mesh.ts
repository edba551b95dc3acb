/** A mesh for tests of the kit: it writes each view unchanged into an object. */
import type { KubeObject } from '@meshrelay/api';
import {
  type CapabilityTable,
  DEPLOYMENT,
  type DiscoveredMember,
  type DiscoveredMesh,
  key,
  type MeshPlugin,
  type NativeObject,
  POD,
  type Pod,
  type ResourceKind,
  VIEW_FIELDS,
} from '@meshrelay/plugin';
import type { MeshFixture } from '../../src/mod.ts';

export const SHEET: ResourceKind = {
  group: 'paper.example',
  version: 'v1',
  kind: 'Sheet',
  plural: 'sheets',
  namespaced: true,
};

/** A sheet with any content. */
export function sheet(namespace: string, name: string, spec: unknown): NativeObject {
  return { apiVersion: 'paper.example/v1', kind: 'Sheet', metadata: { name, namespace }, spec };
}

/** All fields native, except these. */
export function capabilities(others: Partial<CapabilityTable> = {}): CapabilityTable {
  return { ...Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])), ...others } as CapabilityTable;
}

/** The plugin; `changes` replace parts of it. */
export function paperPlugin(changes: Partial<MeshPlugin> = {}): MeshPlugin {
  return {
    name: 'paper',
    contract: 1,
    watches: [],
    writes: [SHEET],
    capabilities: capabilities(),
    gatewayDefaults: { labels: { role: 'gateway' }, portName: 'tls' },
    discover({ graph, objects, meshes, members }) {
      const found = graph.derive('paper/mills', objects(DEPLOYMENT), ({ metadata }): DiscoveredMesh | undefined =>
        metadata.name === 'mill'
          ? { name: 'mill', namespace: metadata.namespace ?? '', trustDomain: 'td', capturesDns: true }
          : undefined,
      );
      meshes(found);
      members(
        graph.derive('paper/members', objects<Pod>(POD), ({ spec }, read): DiscoveredMember | undefined =>
          Array.isArray(spec?.containers) &&
          spec.containers.some((one) => one?.name === 'pen') &&
          read.has(found, key('mills', 'mill'))
            ? { mesh: { name: 'mill', namespace: 'mills' } }
            : undefined,
        ),
      );
    },
    translateDestination(view, out) {
      const { cluster, namespace, name } = view.destination;
      const { routes, connection, access, subsets } = view;
      const sourcePolicies = [
        ...routes.flatMap(({ from }) => from),
        ...access.flatMap(({ from }) => from),
        ...Object.values(connection).flatMap((one) => one?.from ?? []),
      ];
      if (sourcePolicies.length === 0) return;
      out.emit(cluster, sheet(namespace, name, { routes, connection, access, subsets }), sourcePolicies);
    },
    translateFederatedDestination(
      { destination, consumer, hostname, routes, connection, tcpKeepalive = {}, virtualMesh },
      out,
    ) {
      const { name, namespace, cluster } = destination;
      const stated = { hostname, routes, connection, tcpKeepalive };
      const object = sheet('mills', `reach.${name}.${namespace}.${cluster}`, stated);
      out.emit(consumer.cluster, object, [
        virtualMesh,
        ...routes.flatMap(({ from }) => from),
        ...Object.values(connection).flatMap((one) => one?.from ?? []),
      ]);
    },
    translateVirtualDestination({ virtualDestination, consumer, groups, failover, sameHostname }, out) {
      const same = sameHostname === undefined ? {} : { sameHostname };
      const object = sheet('mills', `name.${virtualDestination.name}`, { groups, failover, ...same });
      out.emit(consumer.cluster, object, [virtualDestination]);
    },
    translateMesh({ mesh, virtualMesh, globalAccess, strictMtls, flatNetwork }, out) {
      const stated = { globalAccess, strictMtls, flatNetwork };
      if (globalAccess === 'MESH_DEFAULT' && !strictMtls && !flatNetwork) return;
      out.emit(mesh.cluster, sheet(mesh.namespace, 'all', stated), [virtualMesh]);
    },
    translateWorkloadExtensions({ workload: { mesh, namespace, name }, accessLog, wasm }, out) {
      const sourcePolicies = [...accessLog, ...wasm].flatMap(({ from }) => from);
      out.emit(mesh.cluster, sheet(namespace, `extensions.${name}`, { accessLog, wasm }), sourcePolicies);
    },
    ...changes,
  };
}

export const paperFixture: MeshFixture = {
  controlPlane: () => [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'mill', namespace: 'mills' } } as KubeObject,
  ],
  injected: (pod) => {
    const { spec } = pod as unknown as { readonly spec: { readonly containers: readonly object[] } };
    return { ...pod, spec: { ...spec, containers: [...spec.containers, { name: 'pen' }] } } as unknown as KubeObject;
  },
};
