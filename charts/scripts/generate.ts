/**
 * Writes what the charts have from the sources: the version, the templates that both share, CRDs, permissions, the schema
 * of their values, the table of values.
 * `--check` only compares.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { agentConfig } from '@meshrelay/agent';
import { serverConfig } from '@meshrelay/mgmt-server';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import type { MeshPlugin } from '@meshrelay/relay-core';
import { agentRights, serverRightsTemplates } from './rights-template.ts';
import { agentSchema, serverSchema } from './values-schema.ts';
import { withValuesTable } from './values-table.ts';

const folder = resolve(import.meta.dirname, '..');
const crdFolder = resolve(folder, '../packages/api/crds');
const sharedTemplates = join(folder, 'shared/templates');
const GENERATED = '{{- /* Generated from charts/shared: change it there, then run npm run generate. */ -}}\n';
const plugins = [istio, osm, envoy] as readonly MeshPlugin[];
const check = process.argv.includes('--check');
const stale: string[] = [];

const charts = [
  { name: 'meshrelay', rights: serverRightsTemplates(plugins), schema: serverSchema(serverConfig) },
  { name: 'meshrelay-agent', rights: agentRights(plugins), schema: agentSchema(agentConfig) },
];
const crds = readdirSync(crdFolder);
const templates = readdirSync(sharedTemplates);
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
for (const { name, rights, schema } of charts) {
  const chart = join(folder, name);
  const about = join(chart, 'Chart.yaml');
  settle(about, readFileSync(about, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  settle(join(chart, 'templates/_rights.generated.tpl'), rights);
  settle(join(chart, 'values.schema.json'), `${JSON.stringify(schema, undefined, 2)}\n`);
  for (const file of crds) settle(join(chart, 'files/crds', file), readFileSync(join(crdFolder, file), 'utf8'));
  removeOthers(join(chart, 'files/crds'), crds);
  for (const file of templates)
    settle(join(chart, 'templates', file), GENERATED + readFileSync(join(sharedTemplates, file), 'utf8'));
  removeOthers(join(chart, 'templates'), templates, isCopy);
  const readme = join(chart, 'README.md');
  settle(readme, withValuesTable(readFileSync(readme, 'utf8'), readFileSync(join(chart, 'values.yaml'), 'utf8')));
}

if (check && stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}\nrun: node charts/scripts/generate.ts\n`);
  process.exitCode = 1;
}

/** Writes `text` to `path`, or records that the file is outdated. */
function settle(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  stale.push(relative(folder, path));
  if (check) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes generated files without a source. */
function removeOthers(place: string, sources: readonly string[], isGenerated = (_path: string): boolean => true): void {
  if (!existsSync(place)) return;
  for (const name of readdirSync(place).filter((file) => !sources.includes(file))) {
    const path = join(place, name);
    if (!isGenerated(path)) continue;
    stale.push(relative(folder, path));
    if (!check) rmSync(path);
  }
}

function isCopy(template: string): boolean {
  return readFileSync(template, 'utf8').startsWith(GENERATED);
}
