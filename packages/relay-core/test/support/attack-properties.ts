/**
 * Properties that hold against an adversary that owns every object of one cluster. A violation throws an Error with the
 * differences.
 */

import { changedPolicies, policiesOfOthers, type ReportedPolicies } from '@meshrelay/testing/reported-policies';
import { ADVERSARY, type AttackedFleet, VICTIMS } from './adversary.ts';
import { type ControlPlane, canonicalJson, type DesiredObject } from './core.ts';
import { apply, finalState, planeOf } from './fleet-states.ts';

/**
 * The adversary changes nothing about others, except how its own exported services are reached. This holds whether it
 * arrives first or later.
 */
export function adversaryChangesNothing({ honest, attack }: AttackedFleet): void {
  const events = (all: AttackedFleet['honest']) => all.map((one) => ({ ...one, gone: false }));
  const plane = planeOf(finalState([events(honest)]), undefined, { wholeStatuses: true });
  const before = visibleTo(plane);
  apply(plane, events(attack));
  refuse('it came later', before, visibleTo(plane));
  const other = planeOf(finalState([events(attack), events(honest)]), undefined, { wholeStatuses: true });
  refuse('it was there first', before, visibleTo(other));
}

/** The state that others see. */
interface Seen {
  readonly objects: readonly string[];
  readonly policies: ReportedPolicies;
}

function visibleTo(plane: ControlPlane): Seen {
  return { objects: aboutVictims(plane), policies: policiesOfOthers(plane, ADVERSARY) };
}

function refuse(when: string, before: Seen, after: Seen): void {
  const lines = [
    ...differences(before.objects, after.objects),
    ...changedPolicies(before.policies, after.policies, ADVERSARY),
  ];
  if (lines.length > 0) throw new Error(`an adversary changed others' objects, ${when}:\n${lines.join('\n')}`);
}

/** Lines that are in one list only. */
function differences(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `new: ${line}`),
  ];
}

/** Everything for or about other clusters, except how the adversary's exported services are reached. */
function aboutVictims({ desired, shown }: ControlPlane): string[] {
  const { discovered, statuses: discoveredStatuses } = shown.activate();
  return [
    ...[...desired.entries()].filter(([, { cluster }]) => VICTIMS.includes(cluster)).flatMap(withoutExports),
    ...linesOf(discovered, (key) => !namedAfterAdversary(key)),
    ...linesOf(discoveredStatuses, (key) => !namedAfterAdversary(key)),
  ];
}

function linesOf(
  collection: { entries(): Iterable<readonly [string, unknown]> },
  required: (key: string) => boolean,
): string[] {
  return [...collection.entries()]
    .filter(([key]) => required(key))
    .map(([key, value]) => `${key} ${canonicalJson(value)}`);
}

/**
 * Omits objects that reach the adversary's services. A bag contains parts of all clusters; only the parts of others
 * count.
 */
function withoutExports([key, { object, sourcePolicies }]: readonly [string, DesiredObject]): string[] {
  const { name } = object.metadata;
  if (isExport(name)) return [];
  if (object.kind !== 'Bag') return [canonicalJson([key, sourcePolicies, object]).replace(IMPORTS_ANYTHING, '')];
  const parts = (object['spec'] as { readonly parts: readonly string[] }).parts;
  const ofOthers = parts.filter((part) => !part.includes(`/${ADVERSARY}/`));
  return ofOthers.length === 0 ? [] : [canonicalJson([key, ofOthers])];
}

/** Whether the fake plugin gives this name to an object that reaches the adversary's services. */
export function isExport(name: string): boolean {
  return /^(reach|endpoints)\./.test(name) && name.endsWith(`.${ADVERSARY}`);
}

function namedAfterAdversary(key: string): boolean {
  // A workload name ends with its kind, and sometimes a hash.
  return new RegExp(`-${ADVERSARY}(-deployment)?(-[0-9a-f]{6})?"\\]$`).test(key);
}

/** Whether a mesh imports any service: the only field of a mesh that exports of others may change. */
const IMPORTS_ANYTHING = /"importsAnything":(true|false),/;
