/**
 * Parts of policies that golden cases need not cover according to the capability table, found with the probes of its
 * fields.
 */
import { type CapabilityTable, VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import { isSupportedBy } from '../capability/claim.ts';
import type { Probe } from '../capability/probe.ts';
import { PROBES } from '../capability/probes.ts';
import type { GoldenFolder } from './golden-folder.ts';
import { shownBy } from './shown-points.ts';

/** The points of these kinds that only unsupported fields have; all points of a kind without any supported field. */
export function leftOut(capabilities: CapabilityTable, kinds: readonly string[]): readonly string[] {
  const unsupported = VIEW_FIELDS.filter((field) => isUnsupported(capabilities, field));
  const whole = kinds.filter((kind) => {
    const about = VIEW_FIELDS.filter((field) => addedBy(PROBES[field], [kind]).length > 0);
    return about.length > 0 && about.every((field) => unsupported.includes(field));
  });
  return [...whole.map((kind) => `${kind} spec`), ...pointsOnlyOf(unsupported, capabilities, kinds)];
}

/** The points of these kinds that components other than the mesh's objects support. */
export function supportedByOthers(capabilities: CapabilityTable, kinds: readonly string[]): readonly string[] {
  return pointsOnlyOf(
    VIEW_FIELDS.filter((field) => PROBES[field].some(({ supportedBy }) => supportedBy !== undefined)),
    capabilities,
    kinds,
  );
}

/** The points of these kinds that request the mesh's fixed behaviour. */
export function alwaysSo(capabilities: CapabilityTable, kinds: readonly string[]): readonly string[] {
  const isAlwaysSo = (field: ViewField) => {
    const claim = capabilities[field];
    return typeof claim === 'object' && 'always' in claim;
  };
  return pointsOnlyOf(VIEW_FIELDS.filter(isAlwaysSo), capabilities, kinds);
}

/** The unsupported fields of policies of these kinds that the reports of no case name. */
export function missingReports(
  cases: GoldenFolder,
  capabilities: CapabilityTable,
  kinds: readonly string[],
): readonly ViewField[] {
  const reported = cases.cases().flatMap((name) => cases.reports(name, 'UNSUPPORTED'));
  return VIEW_FIELDS.filter(
    (field) =>
      isUnsupported(capabilities, field) &&
      addedBy(PROBES[field], kinds).length > 0 &&
      !reported.some(({ message }) => message.includes(` ${field}:`)),
  );
}

function isUnsupported(capabilities: CapabilityTable, field: ViewField): boolean {
  const claim = capabilities[field];
  return typeof claim === 'object' && 'unsupported' in claim;
}

/** The points that the probes of these fields add, without those that a probe of a supported field has too. */
function pointsOnlyOf(
  fields: readonly ViewField[],
  capabilities: CapabilityTable,
  kinds: readonly string[],
): readonly string[] {
  const supported = VIEW_FIELDS.filter((field) => !fields.includes(field) && isSupportedBy(capabilities, field));
  const otherPlace = new Set(supported.flatMap((field) => PROBES[field].flatMap(({ asks }) => shownBy(asks, kinds))));
  return fields.flatMap((field) => addedBy(PROBES[field], kinds).filter((point) => !otherPlace.has(point)));
}

function addedBy(probes: readonly Probe[], kinds: readonly string[]): readonly string[] {
  return probes.flatMap(({ asks, without = [] }) => {
    const known = new Set(shownBy(without, kinds));
    return shownBy(asks, kinds).filter((point) => !known.has(point));
  });
}
