// Writes docs/reference/capabilities.md from the tested capabilities of the built-in plugins. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import * as envoyFixture from '@meshrelay/plugin-envoy/fixture';
import * as istioFixture from '@meshrelay/plugin-istio/fixture';
import { capabilityMatrix, type MeshFixture, proveCapability } from '@meshrelay/plugin-kit';
import * as osmFixture from '@meshrelay/plugin-osm/fixture';
import { loadPlugins, VIEW_FIELDS } from '@meshrelay/relay-core';
import { BUILT_IN_PLUGINS } from '../src/built-in-plugins.ts';

/** Display name of each mesh type, and the fixture for its tests. */
const MESHES: Readonly<Record<string, { readonly name: string; readonly fixture: MeshFixture }>> = {
  istio: { name: 'Istio', fixture: istioFixture },
  osm: { name: 'Open Service Mesh', fixture: osmFixture },
  envoy: { name: 'Envoy', fixture: envoyFixture },
};

const HEAD = `<!-- Generated from packages/host by scripts/generate.ts; run \`node packages/host/scripts/generate.ts\`. -->
# What each mesh carries

The conformance kit proves each row: it sets the field alone in a small fleet and compares the outputs. *Yes* names the kinds of
objects that change with the field. *In part* and *no* are reported in the status of every policy that sets the field, as DEGRADED and UNSUPPORTED,
with the same text. *Always* means that the mesh does it without configuration. Limits for single values of a field are reported, too.

`;

const proven = loadPlugins(BUILT_IN_PLUGINS).map(({ plugin }) => {
  const mesh = MESHES[plugin.name];
  if (mesh === undefined) throw new Error(`${plugin.name} is built in and has no fixture here; add it to MESHES`);
  const proofs = VIEW_FIELDS.map((field) => proveCapability({ plugin, fixture: mesh.fixture }, field));
  return { type: plugin.name, name: mesh.name, proofs };
});

const page = resolve(import.meta.dirname, '../../../docs/reference/capabilities.md');
const text = `${HEAD}${capabilityMatrix(proven)}`;
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  process.stderr.write('out of date: docs/reference/capabilities.md\nrun: node packages/host/scripts/generate.ts\n');
  process.exitCode = 1;
}
