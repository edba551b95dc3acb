/** `describe`: a mesh, workload, destination or policy as tables, with the policies that apply to it. */

import { definitionOf, nearest, policyKinds } from '@meshrelay/api';
import { plain } from '../output/plain.ts';
import { InputError } from '../problem.ts';
import { destinationLines } from './describe-destination.ts';
import { meshLines } from './describe-mesh.ts';
import { policyLines } from './describe-policy.ts';
import { workloadLines } from './describe-workload.ts';
import { findNamed, type Named } from './find.ts';
import type { KnownFleet, KnownPolicy } from './known-fleet.ts';
import { namedDestination, namedMesh, namedWorkload } from './named-objects.ts';

/** @throws InputError if the word is not a kind that `describe` supports */
export function checkDescribed(word: string): void {
  const lower = word.toLowerCase();
  if (lower === 'policy' || [...DISCOVERED, ...policyKinds].some((kind) => isWordFor(kind, lower))) return;
  const meant = nearest(word, ['mesh', 'workload', 'destination', 'policy', ...policyKinds]);
  throw new InputError(
    `"${word}" is not a kind that can be described; ${meant === undefined ? 'use mesh, workload, destination or policy' : `did you mean ${meant.toLowerCase()}?`}`,
  );
}

const DISCOVERED = ['Mesh', 'Workload', 'Destination'] as const;

/**
 * The text, with a final newline.
 * @throws InputError if no object, or more than one, has this kind and name
 */
export function describeText(fleet: KnownFleet, kind: string, name: string): string {
  return `${linesOf(fleet, kind, name).map(plain).join('\n')}\n`;
}

function linesOf(fleet: KnownFleet, word: string, name: string): readonly string[] {
  checkDescribed(word);
  const lower = word.toLowerCase();
  if (isWordFor('Mesh', lower)) return meshLines(findNamed('mesh', name, fleet.meshes.map(namedMesh)), fleet);
  if (isWordFor('Workload', lower))
    return workloadLines(findNamed('workload', name, fleet.workloads.map(namedWorkload)), fleet);
  if (isWordFor('Destination', lower))
    return destinationLines(findNamed('destination', name, fleet.destinations.map(namedDestination)), fleet);
  const kinds = policyKinds.filter((kind) => lower === 'policy' || isWordFor(kind, lower));
  const named = fleet.policies.filter(({ ref }) => (kinds as readonly string[]).includes(ref.kind)).map(policyNames);
  return policyLines(findNamed('policy', name, named));
}

function isWordFor(kind: Parameters<typeof definitionOf>[0], word: string): boolean {
  const { plural, shortNames } = definitionOf(kind);
  return word === kind.toLowerCase() || word === plural || shortNames.includes(word);
}

function policyNames(thing: KnownPolicy): Named<KnownPolicy> {
  const { kind, cluster, namespace, name } = thing.ref;
  const place = cluster === '' ? '_' : cluster;
  return {
    names: [
      `${kind.toLowerCase()} ${place}/${namespace}/${name}`,
      `${place}/${namespace}/${name}`,
      `${namespace}/${name}`,
      name,
    ],
    thing,
  };
}
