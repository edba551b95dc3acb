/** Checks every import of the workspace against the rules. Pure except for the parser. */

import { checkExternal } from './check-external.ts';
import { checkModules } from './check-modules.ts';
import { checkRelative, targetOf } from './check-relative.ts';
import { findCycles } from './cycles.ts';
import { checkFaces } from './faces.ts';
import { placeOf } from './place.ts';
import { checkRings, findRings } from './rings.ts';
import type { Rules } from './rules.ts';
import { type Import, scanImports } from './scan.ts';
import type { Workspace } from './source.ts';
import { checkStages } from './stages.ts';

/** All violations, one line each: place, violation and next action; empty without violations. */
export async function checkImports(workspace: Workspace, rules: Rules): Promise<string[]> {
  const imports = await scanImports(workspace.files);
  return [
    ...checkPackages(workspace, rules),
    ...checkModules(workspace.files),
    ...imports.flatMap((each) => checkImport(each, workspace, rules)),
    ...checkCycles(imports),
    ...checkStages(imports, workspace.files.keys(), rules.stages),
    ...checkFaces(imports, workspace.files.keys(), rules.faces),
    ...checkRings(findRings(relativeEdges(imports)), rules.rings),
  ];
}

function checkImport(each: Import, workspace: Workspace, rules: Rules): string[] {
  const place = placeOf(each.file, workspace);
  const broken = each.specifier.startsWith('.')
    ? checkRelative(each, place, workspace)
    : checkExternal(each, place, workspace, rules);
  return broken === undefined ? [] : [`${each.file}: ${broken}`];
}

function checkPackages({ manifests }: Workspace, { packages }: Rules): string[] {
  const names = [...manifests].filter(([folder]) => /^packages\/[^/]+$/.test(folder));
  const edges = names.map(([, { name, dependencies }]): [string, string[]] => [name, Object.keys(dependencies ?? {})]);
  return [
    ...names
      .map(([folder]) => folder.slice('packages/'.length))
      .filter((name) => !Object.hasOwn(packages, name))
      .map((name) => `packages/${name}: has no rule; say in scripts/imports/rules.ts what it may import`),
    ...findCycles(new Map(edges)).map((cycle) => `packages depend on each other in a circle: ${cycle.join(' -> ')}`),
  ];
}

/** Modules may not import each other at run time. Types may, within the limit of rings. */
function checkCycles(imports: readonly Import[]): string[] {
  const loaded = imports.filter(({ typeOnly }) => !typeOnly);
  return findCycles(relativeEdges(loaded)).map((cycle) => `files import each other in a circle: ${cycle.join(' -> ')}`);
}

function relativeEdges(imports: readonly Import[]): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const each of imports)
    if (each.specifier.startsWith('.')) edges.set(each.file, [...(edges.get(each.file) ?? []), targetOf(each)]);
  return edges;
}
