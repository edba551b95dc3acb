/** A mesh plugin whose translation of meshes never returns. */
import osm from '@meshrelay/plugin-osm';

// biome-ignore lint/style/noDefaultExport: a plugin module's default export is the plugin
export default {
  ...osm,
  name: 'hanging',
  patches: [],
  concernsMesh: () => true,
  translateMesh() {
    for (;;);
  },
};
