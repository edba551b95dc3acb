/** Lantern, a made-up mesh that knows timeouts and nothing else. */
import {
  capabilities,
  containersOf,
  DEPLOYMENT,
  type DiscoveredMember,
  type DiscoveredMesh,
  defineMeshPlugin,
  key,
  type MeshPlugin,
  POD,
  type Pod,
  type ResourceKind,
} from '@meshrelay/plugin';

const BEAM: ResourceKind = { group: 'lantern.example', version: 'v1', kind: 'Beam', plural: 'beams', namespaced: true };
const CONTROL_PLANE = { name: 'lantern', namespace: 'lantern-system' };

export const lantern: MeshPlugin = defineMeshPlugin({
  name: 'lantern',
  contract: 1,
  watches: [],
  writes: [BEAM],
  capabilities: capabilities('Lantern has no API for it', {
    'route.timeout': 'native',
    'source.clusters': { always: 'all callers are of the same cluster' },
  }),
  discover({ graph, objects, meshes, members }) {
    const found = graph.derive('lantern/meshes', objects(DEPLOYMENT), ({ metadata }): DiscoveredMesh | undefined =>
      metadata.name === CONTROL_PLANE.name ? { ...CONTROL_PLANE, trustDomain: 'cluster.local' } : undefined,
    );
    const lit = graph.derive('lantern/members', objects<Pod>(POD), ({ spec }, read): DiscoveredMember | undefined => {
      const supportsProxy = containersOf(spec).some(({ name }) => name === 'wick');
      const mesh = read.get(found, key(CONTROL_PLANE.namespace, CONTROL_PLANE.name));
      return supportsProxy && mesh !== undefined ? { mesh: CONTROL_PLANE } : undefined;
    });
    meshes(found);
    members(lit);
  },
  translateDestination({ destination: { cluster, namespace, name }, routes }, out) {
    // The core has removed routes with matches, which the table declares unsupported. The others are for all requests.
    const timeout = routes.find(({ actions }) => actions.timeoutMs !== undefined)?.actions.timeoutMs;
    if (timeout === undefined) return;
    const metadata = { name: `meshrelay-${name}`, namespace };
    const spec = { service: name, timeoutMs: timeout.value };
    out.emit(cluster, { apiVersion: 'lantern.example/v1', kind: 'Beam', metadata, spec }, timeout.from);
  },
});
