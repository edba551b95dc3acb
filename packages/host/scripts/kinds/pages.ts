// All pages of kinds, by their paths in docs.
import { join } from 'node:path';
import { kinds } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
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
    const crd = crds.find(({ spec }) => spec.names.kind === definition.kind);
    if (crd === undefined) throw new Error(`${definition.kind} has no CRD`);
    return [`reference/kinds/${fileOf(definition)}`, kindPage(definition, crd, meshes, examples)] as const;
  });
  return new Map([['reference/kinds/README.md', indexPage(kinds)], ...pages]);
}
