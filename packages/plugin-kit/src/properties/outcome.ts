/** The results of a fleet as comparable text. */
import type { Report } from '@meshrelay/api';
import type { NativeObject } from '@meshrelay/plugin';
import {
  buildFleet,
  type ControlPlane,
  canonicalJson,
  type LoadedPlugin,
  statusDocument,
  valuesInOrder,
} from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/expand-fleet.ts';
import { sha256 } from '../hash.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';

/**
 * The fleet, built from scratch.
 * @throws Error if a stage failed on an object, including a plugin's own
 */
export function built(fleet: Fleet, plugins: readonly LoadedPlugin[]): ControlPlane {
  return buildFleet({ ...fleet, plugins, hash: sha256 });
}

/** The result of a fleet, for properties that check it, or compare it with the same fleet in other circumstances. */
export interface Expected {
  /** By {@link linesOf}. */
  readonly all: readonly string[];
  /** By {@link outputLines}. */
  readonly outputs: readonly string[];
  /** The desired objects. */
  readonly objects: readonly NativeObject[];
  /** All reports in the statuses of policies. */
  readonly reports: readonly Report[];
}

const EXPECTED = new WeakMap<TestedPlugin, WeakMap<Fleet, Expected>>();

/**
 * Builds a fleet once for all properties: state that an earlier property left in a plugin must not change the result
 * either.
 */
export function expectedOf(tested: TestedPlugin, fleet: Fleet): Expected {
  const ofPlugin = EXPECTED.get(tested) ?? new WeakMap<Fleet, Expected>();
  EXPECTED.set(tested, ofPlugin);
  const known = ofPlugin.get(fleet);
  if (known !== undefined) return known;
  const plane = built(fleet, loaded(tested));
  const expected: Expected = {
    all: linesOf(plane),
    outputs: outputLines(plane),
    objects: valuesInOrder(plane.desired).map(({ object }) => object),
    reports: statusDocument(plane).policies.flatMap(({ reports, targets }) => [
      ...reports,
      ...targets.flatMap((target) => target.reports),
    ]),
  };
  ofPlugin.set(fleet, expected);
  return expected;
}

/** All outputs, statuses and discovered objects, one line each, in a fixed order. */
export function linesOf({ desired, statuses, shown }: ControlPlane): readonly string[] {
  return [
    ...lines('desired', desired.entries()),
    ...lines('status', statuses.entries()),
    ...lines('discovered', shown.activate().discovered.entries()),
  ];
}

/** Only the outputs, for all clusters except one. */
export function outputLines({ desired }: Pick<ControlPlane, 'desired'>, butFor?: string): readonly string[] {
  return lines(
    'desired',
    [...desired.entries()].filter(([, { cluster }]) => cluster !== butFor),
  );
}

function lines(what: string, entries: Iterable<readonly [string, unknown]>): string[] {
  return [...entries].map(([itemKey, value]) => `${what} ${itemKey} ${canonicalJson(value)}`).sort();
}

/** The first difference between two results, with its location; undefined if they are equal. */
export function firstDifference(one: readonly string[], other: readonly string[]): string | undefined {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  const only = (list: readonly string[], known: ReadonlySet<string>) => list.find((line) => !known.has(line));
  const [left, right] = [only(one, inOther), only(other, inOne)];
  if (left === undefined && right === undefined) return undefined;
  const name = nameIn(left ?? right ?? '');
  const valueIn = (list: readonly string[]) => {
    const line = list.find((each) => nameIn(each) === name);
    return line === undefined ? undefined : JSON.parse(line.slice(name.length + 1));
  };
  return `\n  ${name}\n  ${difference(valueIn(one), valueIn(other), '')}`;
}

/** The part of a line before its value. */
function nameIn(line: string): string {
  return line.slice(0, line.indexOf('] {') + 1);
}

function difference(one: unknown, other: unknown, path: string): string {
  if (isBranch(one) && isBranch(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const name = names.find((each) => canonicalJson(one[each]) !== canonicalJson(other[each]));
    if (name !== undefined) return difference(one[name], other[name], path === '' ? name : `${path}.${name}`);
  }
  return `${path === '' ? 'it' : path} is ${shown(one)} against ${shown(other)}`;
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const MAX_SHOWN = 300;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : canonicalJson(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
