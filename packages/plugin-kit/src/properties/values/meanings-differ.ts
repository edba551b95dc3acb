/** Different meanings are written differently, even if their values are equal. */
import type { ViewField } from '@meshrelay/plugin';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { isSupportedBy } from '../../capability/claim.ts';
import { loaded, type TestedPlugin } from '../../tested-plugin.ts';
import type { TestFleet } from '../property.ts';
import { FAMILIES, type Family } from './meanings.ts';
import { endsWith, objectsIn, type Path, replaced, valueAt } from './paths.ts';
import { receivedViews } from './received-views.ts';
import { type ReceivedView, translated } from './translated.ts';

/** Families whose rules a mesh may write for a workload instead of a Service. */
const WRITTEN_ONCE: ReadonlySet<string> = new Set(['an access rule', 'logged requests', 'a module']);

/**
 * Puts rules of the same kind in place of one, such as "the header is x", "is not x" and "is not present". No two of
 * them may have the same output, unless a report names what is not supported.
 */
export function writesMeaningsApart(tested: TestedPlugin, fleets: readonly TestFleet[]): void {
  const [plugin] = loaded(tested);
  if (plugin === undefined) return;
  const tried = new Set<string>();
  const apart = new Set<string>();
  const problems = new Map<string, string>();
  for (const { fleet } of fleets)
    for (const received of receivedViews(tested, fleet))
      for (const [family, path] of familiesOf(received)) {
        const id = `${received.call} ${family.name}`;
        if (tried.has(id)) continue;
        const found = compare(plugin, received, family, path);
        if (found.compared < 2) continue;
        tried.add(id);
        if (found.problem === undefined) apart.add(family.name);
        else problems.set(family.name, `${received.call}: ${found.problem}`);
      }
  const left = [...problems].flatMap(([name, problem]) => (WRITTEN_ONCE.has(name) && apart.has(name) ? [] : [problem]));
  if (left.length > 0) throw new Error(left.join('\n'));
}

function* familiesOf({ call, view }: ReceivedView): Generator<readonly [Family, Path]> {
  for (const path of objectsIn(view))
    for (const family of FAMILIES) {
      const fits = family.at.length > 0 ? endsWith(path, family.at) : path.length === 0;
      if (fits && (family.call ?? call) === call) yield [family, path];
    }
}

function compare(
  plugin: LoadedPlugin,
  { call, view }: ReceivedView,
  family: Family,
  path: Path,
): { readonly compared: number; readonly problem?: string } {
  const has = (field: ViewField) => isSupportedBy(plugin.plugin.capabilities, field);
  const known = translated(plugin, { call, view }).reports;
  const outputs = new Map<string, string>();
  let compared = 0;
  const meanings = family.meaningsOf(valueAt(view, path) as never, has);
  for (const [label, value] of Object.entries(meanings)) {
    const { meaning, reports } = translated(plugin, { call, view: replaced(view, path, value) as object });
    if (reports.some((report) => !known.includes(report))) continue;
    compared++;
    const same = outputs.get(meaning);
    if (same !== undefined)
      return {
        compared,
        problem: `${family.name}: "${same}" and "${label}" have the same output; write what each means`,
      };
    outputs.set(meaning, label);
  }
  return { compared };
}
