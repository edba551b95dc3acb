/** The mesh my-mesh. Hosts find the plugin as the default export. */
export { myMesh as default } from './my-mesh.ts';
