/**
 * Every value arrives: outputs contain each value of a policy, of an endpoint or of a name as it is, not only depend
 * on it.
 */
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { isSupportedBy } from '../../capability/claim.ts';
import { loaded, type TestedPlugin } from '../../tested-plugin.ts';
import type { TestFleet } from '../property.ts';
import { placeOf } from '../watched.ts';
import { type Excused, excuseFor } from './excused.ts';
import { type OtherValue, otherValues } from './other-values.ts';
import { replaced, valueAt } from './paths.ts';
import { receivedViews } from './received-views.ts';
import { isOfFleet, isWrittenOnce, type StatedValue, statedValues } from './stated-values.ts';
import { type ReceivedView, type Translated, translated } from './translated.ts';

/**
 * Replaces each value in the views by another one, which must be in the output: as the same text, or as a number, a
 * duration or a percentage in one of their usual forms. Exceptions: a report names the value, or the author excuses it.
 */
export function writesEveryValue(tested: TestedPlugin, fleets: readonly TestFleet[], excused: Excused): void {
  const [plugin] = loaded(tested);
  if (plugin === undefined) return;
  const tries = new Map<string, number>();
  const written = new Set<string>();
  const missing = new Map<string, Missing>();
  for (const { name, fleet } of fleets)
    for (const received of receivedViews(tested, fleet)) {
      let before: Translated | undefined;
      for (const stated of statedValues(plugin.plugin, received)) {
        const value = valueAt(received.view, stated.path);
        const id = isOfFleet(stated.field) ? stated.field : `${stated.field} ${JSON.stringify(value)}`;
        const trial = `${received.call} ${id}`;
        const tried = tries.get(trial) ?? 0;
        if (tried >= MAX_TRIES || isOfCore(plugin, stated, value)) continue;
        before ??= translated(plugin, received);
        const problem = problemOf(plugin, received, stated, before);
        tries.set(trial, problem === undefined ? MAX_TRIES : tried + 1);
        if (problem === undefined) {
          written.add(id);
          missing.delete(trial);
        } else if (!excuseFor(excused, `${received.call} ${stated.field}`))
          missing.set(trial, { id, field: stated.field, problem: `${name}: ${placeOf(received)}: ${problem}` });
      }
    }
  const problems = [...missing.values()].flatMap(({ id, field, problem }) =>
    isWrittenOnce(field) && written.has(id) ? [] : [problem],
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** A value that an output does not contain. */
interface Missing {
  /** The field, with the value if policies state it. */
  readonly id: string;
  readonly field: string;
  readonly problem: string;
}

/** A value without an effect in the view of one destination or workload may have one in the next. */
const MAX_TRIES = 8;

/** Core filters out what a mesh cannot ignore; a single target always has the whole weight. */
function isOfCore({ plugin }: LoadedPlugin, { path, field }: StatedValue, value: unknown): boolean {
  if (/\.weight$/.test(field) && value === 100) return true;
  if (field === 'strictMtls') return !isSupportedBy(plugin.capabilities, 'mesh.strictMtls');
  if (path.at(-1) !== 'ignoreCase') return false;
  return !path.includes('match') || typeof plugin.capabilities['match.uri.ignoreCase'] === 'object';
}

function problemOf(
  plugin: LoadedPlugin,
  { call, view }: ReceivedView,
  { path, field }: StatedValue,
  before: Translated,
): string | undefined {
  const value = valueAt(view, path);
  const made = otherValues(value, path).map((other) => ({
    other,
    after: translated(plugin, { call, view: replaced(view, path, other.value) as object }),
  }));
  for (const { other, after } of made) {
    if (before.reports.length > 0 || after.reports.some((report) => !before.reports.includes(report))) continue;
    const shown = `${field} is ${JSON.stringify(value)}; with ${JSON.stringify(other.value)} instead`;
    if (after.text === before.text)
      return `${shown} the result is the same; write it, or report that it is not supported`;
    if (!contains(after, before, other))
      return `${shown} the output does not contain ${(other.words ?? [other.part]).join(' or ')}; write the value as it is, or give a reason in "excused"`;
  }
  const same = made.find(({ after }, index) => made.some((one, at) => at < index && one.after.text === after.text));
  return same === undefined
    ? undefined
    : `${field} has the same result for ${JSON.stringify(same.other.value)} and another value`;
}

function contains(after: Translated, before: Translated, { words, part }: OtherValue): boolean {
  if (words !== undefined) return countWords(after, words) > countWords(before, words);
  return part === undefined || countParts(after, part) > countParts(before, part);
}

function countWords({ atoms }: Translated, words: readonly string[]): number {
  return atoms.filter((atom) => wordsOf(atom).some((one) => words.includes(one))).length;
}

function wordsOf(atom: string): readonly string[] {
  return atom.split(/[^A-Za-z0-9.%]+/).map((one) => one.replace(/^\.+|\.+$/g, ''));
}

function countParts({ atoms }: Translated, part: string): number {
  const plain = (text: string) => text.replaceAll('\\', '').toLowerCase();
  return atoms.filter((atom) => plain(atom).includes(plain(part))).length;
}
