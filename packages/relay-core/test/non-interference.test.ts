/** Who owns every object of one cluster changes nothing about others, but for how its own exported services are reached. */
import process from 'node:process';
import type { PolicyRef, TargetStatus } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { ADVERSARY, sieges, VICTIMS } from './support/adversary.ts';
import { type ControlPlane, canonicalJson, type DesiredObject, foreignClaim } from './support/core.ts';
import { apply, finalState, planeOf } from './support/worlds.ts';

/** Worlds to look at. */
const RUNS = Number(process.env['MESHRELAY_WORLDS'] ?? 300);

test('the attacks are worth looking at: services are exported to victims, claims of others refused, policies told that they reach too far', () => {
  const seen = { exported: 0, refused: 0, beyond: 0 };
  for (const { honest, attack } of fc.sample(sieges, { numRuns: 100, seed: 4 })) {
    const { desired, statuses } = planeOf([...honest, ...attack]);
    if (
      [...desired.entries()].some(([, { cluster, object }]) => isExport(object.metadata.name) && cluster !== ADVERSARY)
    )
      seen.exported += 1;
    if (attack.some(({ object }) => foreignClaim(ADVERSARY, object)?.code === 'FOREIGN_CLUSTER')) seen.refused += 1;
    if ([...statuses.entries()].some(([, { ref, status }]) => ref.cluster === ADVERSARY && status.state === 'DEGRADED'))
      seen.beyond += 1;
  }
  for (const [what, times] of Object.entries(seen)) assert.ok(times >= 10, `${what}: ${times}`);
});

test('an adversary that owns every object of a cluster changes nothing about others', () => {
  fc.assert(
    fc.property(sieges, ({ honest, attack }) => {
      const plane = planeOf(finalState([honest.map((one) => ({ ...one, gone: false }))]));
      const before = aboutVictims(plane);
      apply(
        plane,
        attack.map((one) => ({ ...one, gone: false })),
      );
      assert.equal(differences(before, aboutVictims(plane)), []);
    }),
    { numRuns: RUNS },
  );
});

test('it changes nothing either when it was there first', () => {
  fc.assert(
    fc.property(sieges, ({ honest, attack }) => {
      const events = (all: typeof honest) => all.map((one) => ({ ...one, gone: false }));
      const besieged = planeOf(finalState([events(attack), events(honest)]));
      assert.equal(differences(aboutVictims(planeOf(finalState([events(honest)]))), aboutVictims(besieged)), []);
    }),
    { numRuns: RUNS },
  );
});

/** What is there in one and not in the other. */
function differences(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `new: ${line}`),
  ];
}

/** Everything that is for, or of, other clusters, without how the adversary's exported services are reached. */
function aboutVictims({ desired, discovered, discoveredStatuses, statuses }: ControlPlane): string[] {
  return [
    ...[...desired.entries()].filter(([, { cluster }]) => VICTIMS.includes(cluster)).flatMap(withoutExports),
    ...linesOf(discovered, (key) => !namedAfterAdversary(key)),
    ...linesOf(discoveredStatuses, (key) => !namedAfterAdversary(key)),
    ...[...statuses.entries()]
      .filter(([, { ref }]) => ref.cluster !== ADVERSARY)
      .map(([key, { ref, status }]) => canonicalJson([key, targetsOfOthers(ref, status.targets)])),
  ];
}

function linesOf(
  collection: { entries(): Iterable<readonly [string, unknown]> },
  wanted: (key: string) => boolean,
): string[] {
  return [...collection.entries()]
    .filter(([key]) => wanted(key))
    .map(([key, value]) => `${key} ${canonicalJson(value)}`);
}

/** Whether a mesh imports anything: a service of the adversary's may be the first. */
const IMPORTS = /"importsAnything":(true|false),/;

/** Without objects that reach the adversary's services. Of a bag, which holds something of all, those who speak of others count. */
function withoutExports([key, { object, because }]: readonly [string, DesiredObject]): string[] {
  const { name } = object.metadata;
  if (isExport(name)) return [];
  if (object.kind !== 'Bag') return [canonicalJson([key, because, object]).replace(IMPORTS, '')];
  const parts = (object['spec'] as { readonly parts: readonly string[] }).parts;
  const ofOthers = parts.filter((part) => !part.includes(`/${ADVERSARY}/`));
  return ofOthers.length === 0 ? [] : [canonicalJson([key, ofOthers])];
}

/** Whether the fake plugin names objects so that reach the adversary's services. */
function isExport(name: string): boolean {
  return /^(reach|endpoints)\./.test(name) && name.endsWith(`.${ADVERSARY}`);
}

/** What becomes of others. A policy of theirs is told all of it; one of the administrator's has bounded room for reports about all. */
function targetsOfOthers({ cluster: home }: PolicyRef, targets: readonly TargetStatus[]): object[] {
  return targets
    .filter(({ cluster }) => cluster !== ADVERSARY)
    .map(({ reports, ...target }) => (home === '' ? target : { ...target, reports }));
}

function namedAfterAdversary(key: string): boolean {
  // Workloads have their kind after the name, a hash after that.
  return new RegExp(`-${ADVERSARY}(-deployment)?(-[0-9a-f]{6})?"\\]$`).test(key);
}

test.run();
