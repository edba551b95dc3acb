/** Lantern, a made-up mesh that knows timeouts and nothing else. */
import { capabilities, containersOf, defineMeshPlugin, type MeshPlugin, type ResourceKind } from '@meshrelay/plugin';

const BEAM: ResourceKind = { group: 'lantern.example', version: 'v1', kind: 'Beam', plural: 'beams', namespaced: true };

export const lantern: MeshPlugin = defineMeshPlugin({
  name: 'lantern',
  contract: 1,
  watches: [],
  writes: [BEAM],
  capabilities: capabilities('Lantern has no API for it', {
    'route.timeout': 'native',
    'source.clusters': { always: 'all callers are of the same cluster' },
  }),
  controlPlane: {
    match: ({ metadata }) => metadata.name === 'lantern',
    mesh: ({ metadata: { name, namespace = '' } }) => ({ name, namespace, trustDomain: 'cluster.local' }),
  },
  member: {
    match: ({ spec }) => containersOf(spec).some(({ name }) => name === 'wick'),
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
