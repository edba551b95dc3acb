/** What comes of a fleet, as text that can be compared. */
import { buildFleet, type ControlPlane, canonicalJson, type LoadedPlugin } from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/fleet-spec.ts';
import { sha256 } from '../hash.ts';

/** The fleet, built from scratch. @throws Error where a stage failed on an object, a plugin's own included */
export function built(fleet: Fleet, plugins: readonly LoadedPlugin[]): ControlPlane {
  return buildFleet({ ...fleet, plugins, hash: sha256 });
}

/** All that is written, told and shown, one line each, in a fixed order. */
export function linesOf({ desired, statuses, shown }: ControlPlane): readonly string[] {
  return [
    ...lines('desired', desired.entries()),
    ...lines('status', statuses.entries()),
    ...lines('discovered', shown.awake().discovered.entries()),
  ];
}

/** What is written alone, to all clusters but one. */
export function outputLines({ desired }: Pick<ControlPlane, 'desired'>, butFor?: string): readonly string[] {
  return lines(
    'desired',
    [...desired.entries()].filter(([, { cluster }]) => cluster !== butFor),
  );
}

function lines(what: string, entries: Iterable<readonly [string, unknown]>): string[] {
  return [...entries].map(([itemKey, value]) => `${what} ${itemKey} ${canonicalJson(value)}`).sort();
}

/** The first difference of two outcomes, or undefined where there is none. */
export function firstDifference(one: readonly string[], other: readonly string[]): string | undefined {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  const only = (list: readonly string[], known: ReadonlySet<string>) => list.find((line) => !known.has(line));
  const [left, right] = [only(one, inOther), only(other, inOne)];
  if (left === undefined && right === undefined) return undefined;
  return `\n  ${left ?? '(nothing)'}\nagainst\n  ${right ?? '(nothing)'}`;
}
