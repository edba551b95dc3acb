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
  if (isWordFor('Mesh', lower)) return meshLines(findNamed('mesh', name, fleet.meshes.map(ownName)), fleet);
  if (isWordFor('Workload', lower)) {
    const named = fleet.workloads.map((thing) => withPlace(thing, thing.spec.kubernetes.controller));
    return workloadLines(findNamed('workload', name, named), fleet);
  }
  if (isWordFor('Destination', lower)) {
    const named = fleet.destinations.map((thing) => withPlace(thing, thing.spec.kubeService.ref, hostsOf(thing)));
    return destinationLines(findNamed('destination', name, named), fleet);
  }
  const kinds = policyKinds.filter((kind) => lower === 'policy' || isWordFor(kind, lower));
  const named = fleet.policies.filter(({ ref }) => (kinds as readonly string[]).includes(ref.kind)).map(policyNames);
  return policyLines(findNamed('policy', name, named));
}

function isWordFor(kind: Parameters<typeof definitionOf>[0], word: string): boolean {
  const { plural, shortNames } = definitionOf(kind);
  return word === kind.toLowerCase() || word === plural || shortNames.includes(word);
}

function ownName<T extends { readonly metadata: { readonly name: string } }>(thing: T): Named<T> {
  return { names: [thing.metadata.name], thing };
}

function withPlace<T extends { readonly metadata: { readonly name: string } }>(
  thing: T,
  { clusterName, namespace, name }: { readonly clusterName: string; readonly namespace: string; readonly name: string },
  more: readonly string[] = [],
): Named<T> {
  return {
    names: [thing.metadata.name, `${clusterName}/${namespace}/${name}`, `${namespace}/${name}`, name, ...more],
    thing,
  };
}

function hostsOf({ status }: KnownFleet['destinations'][number]): string[] {
  return [status?.localFqdn, status?.appliedFederation?.federatedHostname].filter((host) => host !== undefined);
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
