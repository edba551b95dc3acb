/** Checks that golden cases cover all supported fields of Meshrelay kinds, and the reports of the others. */
import type { MeshPlugin } from '@meshrelay/plugin';
import type { Check } from '../check.ts';
import { expandFleet } from '../fleet/expand-fleet.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';
import { alwaysSo, leftOut, missingReports, supportedByOthers } from './golden-claims.ts';
import { GoldenFolder } from './golden-folder.ts';
import { unshownBy } from './shown-points.ts';
import { silentFields } from './silent-fields.ts';

/** The cases that are required. */
export interface GoldenCoverage {
  /** The folder of the cases, as {@link GoldenFolder} expects it. */
  readonly folder: string | URL;
  /** Meshrelay kinds, such as `TrafficPolicy`. */
  readonly kinds: readonly string[];
  /**
   * Reasons for uncovered points that the capability table does not explain, by prefixes of the lines of {@link
   * unshownBy}.
   */
  readonly excused?: Readonly<Record<string, string>>;
}

/**
 * One check for each kind: some case covers every field of it, every value of an enum, and lists of no, one and several
 * items. Cases need not cover fields that the capability table declares unsupported, but one must cover the report of
 * each.
 */
export function goldenCoverageChecks(
  { capabilities }: Pick<MeshPlugin, 'capabilities'>,
  { folder, kinds, excused = {} }: GoldenCoverage,
): readonly Check[] {
  const cases = new GoldenFolder(folder);
  let known: readonly string[] | undefined;
  const missing = (): readonly string[] => {
    known ??= unexplained(cases, capabilities, kinds);
    return known;
  };
  const isExcused = (line: string) => Object.keys(excused).some((beginning) => line.startsWith(beginning));
  return [
    ...kinds.map((kind) => ({
      name: `golden cases show all of ${kind}`,
      run: () => {
        const lines = missing().filter((line) => line.startsWith(`${kind} `) && !isExcused(line));
        if (lines.length > 0)
          throw new Error(
            `no golden case shows, the capability table supports, and no reason is given:\n  ${lines.join('\n  ')}`,
          );
      },
    })),
    {
      name: 'every field missing in golden cases has a reason',
      run: () => {
        const idle = Object.keys(excused).filter((beginning) => !missing().some((line) => line.startsWith(beginning)));
        if (idle.length > 0)
          throw new Error(
            `shown by golden cases, or left out by the capability table, so needs no reason any more: ${idle.join(', ')}`,
          );
      },
    },
    {
      name: 'golden cases show the report of every unsupported field',
      run: () => {
        const missing = missingReports(cases, capabilities, kinds);
        if (missing.length > 0)
          throw new Error(`no golden case's report.yaml has the UNSUPPORTED of: ${missing.join(', ')}`);
      },
    },
  ];
}

/** The points that no case covers, except those that the capability table explains. */
function unexplained(
  cases: GoldenFolder,
  capabilities: MeshPlugin['capabilities'],
  kinds: readonly string[],
): readonly string[] {
  const inputs = cases.cases().map((name) => cases.input(name));
  const explained = [...leftOut(capabilities, kinds), ...supportedByOthers(capabilities, kinds)];
  return unshownBy(inputs, kinds).filter((line) => !explained.some((point) => isWithin(line, point)));
}

/**
 * One check: every field of these kinds has an effect. For each field that golden cases set, some output or status
 * differs without it or with another value, or a report names it.
 */
export function silentFieldChecks(
  tested: TestedPlugin,
  { folder, kinds }: Pick<GoldenCoverage, 'folder' | 'kinds'>,
): readonly Check[] {
  const { plugin, fixture } = tested;
  const cases = new GoldenFolder(folder);
  const run = () => {
    const fleets = cases.cases().map((name) => expandFleet(cases.input(name), { type: plugin.name, fixture }));
    const granted = alwaysSo(plugin.capabilities, kinds);
    const silent = silentFields(fleets, kinds, loaded(tested)).filter(
      (field) => !granted.some((point) => isWithin(field, point)),
    );
    if (silent.length > 0)
      throw new Error(
        `in no golden case is anything otherwise without these fields, and no report names them:\n  ${silent.join('\n  ')}`,
      );
  };
  return [{ name: 'no field is silent', run }];
}

/** Whether a line is the point, or a part of it. */
function isWithin(line: string, point: string): boolean {
  return line === point || ['.', '[', ' '].some((next) => line.startsWith(point + next));
}
