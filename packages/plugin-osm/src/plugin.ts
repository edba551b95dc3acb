/** The Open Service Mesh plugin. */
import { defineMeshPlugin, type MeshPlugin } from '@meshrelay/plugin';
import { CAPABILITIES } from './capabilities.ts';
import { discover } from './discover/discover.ts';
import { WATCHES, WRITES } from './kinds.ts';
import { PATCHES } from './mesh-config.ts';
import { objectConflicts } from './object-conflicts.ts';
import { assemble } from './translate/access/assemble.ts';
import { translateDestination } from './translate/destination.ts';
import { translateMesh } from './translate/mesh.ts';

/** The plugin that a host imports. */
const osm: MeshPlugin<unknown> = defineMeshPlugin<unknown>({
  name: 'osm',
  contract: 1,
  watches: WATCHES,
  writes: WRITES,
  patches: PATCHES,
  capabilities: CAPABILITIES,
  servicesWithoutPods: {
    unsupported:
      'OSM requires that the root Service of a TrafficSplit selects the pods of its backends; add such a selector',
  },
  objectConflicts,
  discover,
  translateDestination,
  translateMesh,
  assemble,
});

export default osm;
