/** A mesh plugin for tests of the programs. */
export { TEST_PLUGINS, testMesh } from './test-mesh.ts';
