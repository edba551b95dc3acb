// All pages of kinds, by their paths in docs.
import { join } from 'node:path';
import { type KindDefinition, kinds } from '@meshrelay/api';
import { crds, type StructuralSchema } from '@meshrelay/api/crds';
import { loadPlugins } from '@meshrelay/relay-core';
import { BUILT_IN_PLUGINS } from '../../src/built-in-plugins.ts';
import { MESH_NAMES } from '../mesh-names.ts';
import { readExamples } from './examples.ts';
import { fileOf, indexPage, kindPage } from './page.ts';

/** Text of each page by its path in the folder `docs`, from which examples are read. */
export function kindPages(docs: string): ReadonlyMap<string, string> {
  const meshes = loadPlugins(BUILT_IN_PLUGINS).map(({ plugin }) => ({
    name: MESH_NAMES[plugin.name] ?? plugin.name,
    capabilities: plugin.capabilities,
  }));
  const examples = readExamples(join(docs, 'tasks'));
  const pages = kinds.map((definition) => {
    const page = kindPage(definition, schemaOf(definition), meshes, examples);
    return [`reference/kinds/${fileOf(definition)}`, page] as const;
  });
  return new Map([['reference/kinds/README.md', indexPage(kinds, (one) => schemaOf(one).description)], ...pages]);
}

/** The schema of a kind in its CRD, where the descriptions are. */
function schemaOf({ kind }: KindDefinition): StructuralSchema {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema;
  if (schema === undefined) throw new Error(`${kind} has no CRD with a schema`);
  return schema;
}
