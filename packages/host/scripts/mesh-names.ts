/** Names of the built-in mesh types in the pages of the reference. */
export const MESH_NAMES: Readonly<Record<string, string>> = {
  istio: 'Istio',
  osm: 'Open Service Mesh',
  envoy: 'plain Envoy',
};
