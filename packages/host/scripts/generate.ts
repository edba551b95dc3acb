// Writes the pages of kinds and docs/reference/capabilities.md, which has the tested capabilities of the built-in
// plugins. `--check` only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import * as envoyFixture from '@meshrelay/plugin-envoy/fixture';
import * as istioFixture from '@meshrelay/plugin-istio/fixture';
import { capabilityMatrix, type MeshFixture, proveCapability } from '@meshrelay/plugin-kit';
import * as osmFixture from '@meshrelay/plugin-osm/fixture';
import { loadPlugins, VIEW_FIELDS } from '@meshrelay/relay-core';
import { BUILT_IN_PLUGINS } from '../src/built-in-plugins.ts';
import { kindPages } from './kinds/pages.ts';
import { MESH_NAMES } from './mesh-names.ts';

/** The fixture for the tests of each mesh type. */
const FIXTURES: Readonly<Record<string, MeshFixture>> = { istio: istioFixture, osm: osmFixture, envoy: envoyFixture };

const HEAD = `<!-- Generated from packages/host by scripts/generate.ts; run \`node packages/host/scripts/generate.ts\`. -->
# Support by mesh

The conformance kit proves each row: it sets the field alone in a small fleet and compares the outputs. *Yes* names the
kinds of objects that change with the field. A policy that sets the field reports *in part* as \`DEGRADED\` and *no* as
\`UNSUPPORTED\`, with the same text. *Always* means that the mesh does it without configuration. Limits for single values
of a field are reported, too.

Some fields also need a setting in the configuration of the mesh. Set it yourself, or
[consent](../tasks/consent-to-changes.md) to it: retries and \`globalAccessPolicy\` with OSM, access logs and callers of
other trust domains with Istio.

The first word of a capability says which kind has the fields that need it. The page of the kind has their paths.

| first word | kind |
| --- | --- |
| \`match\`, \`source\`, \`route\`, \`connection\` | [TrafficPolicy](kinds/trafficpolicy.md#limits-of-meshes) |
| \`access\` | [AccessPolicy](kinds/accesspolicy.md#limits-of-meshes) |
| \`virtualDestination\` | [VirtualDestination](kinds/virtualdestination.md#limits-of-meshes) |
| \`accessLog\` | [AccessLogRecord](kinds/accesslogrecord.md#limits-of-meshes) |
| \`wasm\` | [WasmDeployment](kinds/wasmdeployment.md#limits-of-meshes) |
| \`mesh\` | [VirtualMesh](kinds/virtualmesh.md#limits-of-meshes) |

`;

const docs = resolve(import.meta.dirname, '../../../docs');
const check = process.argv.includes('--check');
const stale: string[] = [];

const proven = loadPlugins(BUILT_IN_PLUGINS).map(({ plugin }) => {
  const fixture = FIXTURES[plugin.name];
  const name = MESH_NAMES[plugin.name];
  if (fixture === undefined || name === undefined)
    throw new Error(`${plugin.name} is built in; add it to FIXTURES and to mesh-names.ts`);
  return { type: plugin.name, name, proofs: VIEW_FIELDS.map((field) => proveCapability({ plugin, fixture }, field)) };
});

const pages = kindPages(docs);
for (const [path, text] of pages) settle(path, text);
removeOthers([...pages.keys()]);
settle('reference/capabilities.md', `${HEAD}${capabilityMatrix(proven)}`);

if (check && stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}\nrun: node packages/host/scripts/generate.ts\n`);
  process.exitCode = 1;
}

/** Writes a page of the folder `docs`, or records that it is outdated. */
function settle(path: string, text: string): void {
  if (readIfThere(join(docs, path)) === text) return;
  stale.push(`docs/${path}`);
  if (check) return;
  mkdirSync(join(docs, path, '..'), { recursive: true });
  writeFileSync(join(docs, path), text);
}

/** Removes the pages of kinds that no longer exist. */
function removeOthers(paths: readonly string[]): void {
  const expected = new Set(paths.map((path) => basename(path)));
  const folder = join(docs, 'reference/kinds');
  for (const name of readdirSync(folder).filter((file) => !expected.has(file))) {
    stale.push(`docs/reference/kinds/${name}`);
    if (!check) rmSync(join(folder, name));
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
