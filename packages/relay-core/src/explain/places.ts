/** How explanations name what there is. */
import type { PolicyRef, ResourceRef } from '@meshrelay/api';
import type { ControlPlane } from '../control-plane.ts';
import { type Key, partsOf } from '../graph/key.ts';
import type { DesiredObject } from '../output/desired.ts';
import type { MeshFacts } from '../plugin/views.ts';
import { compareRefs } from '../resolve/precedence.ts';
import type { Verdict } from '../resolve/verdict.ts';
import type { ExplainedOutput, MeshPlace, OutputPlace } from './document.ts';

export function targetRef({ kind, key }: Verdict['target']): ResourceRef {
  const [cluster = '', namespace = '', name = ''] = partsOf(key);
  return { kind, cluster, namespace, name };
}

/** Views know their mesh in full; a stage promises only part of it. */
export function meshPlace(mesh: Partial<MeshFacts> & { readonly cluster: string; readonly type: string }): MeshPlace {
  return { cluster: mesh.cluster, namespace: mesh.namespace ?? '', name: mesh.name ?? '', type: mesh.type };
}

export function outputPlace({ cluster, object }: Pick<DesiredObject, 'cluster' | 'object'>): OutputPlace {
  const { apiVersion, kind, metadata } = object;
  return { cluster, apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

/** Objects that fit, written or withheld, in the order of their keys. Looks at all there are. */
export function outputsWhere(
  { origins, desired }: Pick<ControlPlane, 'origins' | 'desired'>,
  fits: (about: { readonly targets: readonly Key[]; readonly because: readonly PolicyRef[] }) => boolean,
): ExplainedOutput[] {
  return [...origins.proposals.entries()]
    .filter(([output, group]) => {
      const parts = origins.contributions.get(output) ?? [];
      const targets = [...group, ...parts].map(({ target }) => target.key);
      return fits({ targets, because: group.flatMap(({ because }) => because) });
    })
    .map(([output, [first]]) => ({ output, first }))
    .sort((a, b) => (a.output < b.output ? -1 : 1))
    .flatMap(({ output, first }) =>
      first === undefined ? [] : [{ ...outputPlace(first), written: desired.has(output) }],
    );
}

export function sameRef(a: PolicyRef, b: PolicyRef): boolean {
  return compareRefs(a, b) === 0;
}
