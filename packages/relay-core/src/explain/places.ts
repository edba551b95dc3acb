/** How explanations name objects. */
import type { PolicyRef } from '@meshrelay/api';
import type { Key, MeshFacts } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import type { DesiredObject } from '../output/mod.ts';
import { compareRefs } from '../store/precedence.ts';
import type { ExplainedOutput, MeshLocation, OutputLocation } from './document.ts';
import { unappliedPatch } from './explain-patches.ts';

/** Views contain all facts of their mesh; the type of a stage promises only some of them. */
export function meshPlace(
  mesh: Partial<MeshFacts> & { readonly cluster: string; readonly type: string },
): MeshLocation {
  return { cluster: mesh.cluster, namespace: mesh.namespace ?? '', name: mesh.name ?? '', type: mesh.type };
}

export function outputPlace({ cluster, object }: Pick<DesiredObject, 'cluster' | 'object'>): OutputLocation {
  const { apiVersion, kind, metadata } = object;
  return { cluster, apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/**
 * The keys of all objects, applied or not. Patches of user-owned objects have proposals of their own, and `desired`
 * lacks objects that are not applied.
 */
export function* allOutputs({ origins, desired }: Pick<ControlPlane, 'origins' | 'desired'>): Generator<Key> {
  for (const [output] of origins.proposals.entries()) yield output;
  for (const [output] of desired.entries()) if (!origins.proposals.has(output)) yield output;
  for (const [output] of origins.patches.entries()) if (!desired.has(output)) yield output;
}

/** Matching objects, applied or not, in the order of their keys. Reads all objects. */
export function outputsWhere(
  plane: Pick<ControlPlane, 'origins' | 'desired'>,
  fits: (about: { readonly targets: readonly Key[]; readonly sourcePolicies: readonly PolicyRef[] }) => boolean,
): ExplainedOutput[] {
  const { origins, desired } = plane;
  return [...allOutputs(plane)].sort().flatMap((output) => {
    const group = origins.proposals.get(output) ?? [];
    const parts = origins.contributions.get(output) ?? [];
    const found = desired.get(output);
    const patch = origins.patches.get(output) ?? [];
    const one = found ?? group[0] ?? unappliedPatch(plane, output);
    const targets = [...group, ...parts, ...patch].map(({ target }) => target.key);
    const sourcePolicies = [...group, ...patch, ...(found === undefined ? [] : [found])].flatMap(
      (some) => some.sourcePolicies,
    );
    if (one === undefined || !fits({ targets, sourcePolicies })) return [];
    return [{ ...outputPlace(one), written: found !== undefined }];
  });
}

export function sameRef(a: PolicyRef, b: PolicyRef): boolean {
  return compareRefs(a, b) === 0;
}
