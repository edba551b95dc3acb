/** Missing references of a policy: mostly typos, for which an object with a similar name exists. */
import { nearest, type PolicyStatus, type Report, type ResourceRef } from '@meshrelay/api';
import { partsOf } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import type { MissingReference } from './document.ts';

/** The maximum number of suggestions for each. */
const MAX_LIKELY = 3;

/** Each missing reference of a policy, with suggestions. Reads all objects of its kind. */
export function explainMissing(
  plane: ControlPlane,
  { reports, targets }: Pick<PolicyStatus, 'reports' | 'targets'>,
): readonly MissingReference[] {
  const missing = new Map<string, MissingReference>();
  for (const report of [...reports, ...targets.flatMap((target) => target.reports)]) {
    const { field = '' } = report;
    const ref = missingIn(report);
    if (ref === undefined || missing.has(field)) continue;
    const all = [...known(plane, ref.kind)];
    if (!all.some((one) => textOf(one) === textOf(ref)))
      missing.set(field, { field, ref, likely: likelyFor(ref, all) });
  }
  return [...missing.values()];
}

function missingIn({ code, related = [] }: Report): ResourceRef | undefined {
  return code === 'REF_NOT_FOUND' ? related[0] : undefined;
}

function* known(plane: ControlPlane, kind: string): Generator<ResourceRef> {
  if (kind === 'Destination')
    for (const [, { cluster, namespace, name }] of plane.resolved.destinations.known.entries())
      yield { kind, cluster, namespace, name };
  else if (kind === 'Mesh')
    for (const [id, { metadata }] of plane.shown.activate().discovered.entries()) {
      if (partsOf(id)[0] !== kind) continue;
      yield { kind, cluster: '', namespace: metadata.namespace ?? '', name: metadata.name };
    }
  else for (const [, { ref }] of plane.statuses.entries()) if (ref.kind === kind) yield ref;
}

/**
 * The most similar name in its place; otherwise objects of the same name in another namespace, or in another cluster.
 */
function likelyFor({ cluster, namespace, name }: ResourceRef, all: readonly ResourceRef[]): readonly ResourceRef[] {
  const there = all.filter((one) => one.cluster === cluster && one.namespace === namespace);
  const near = nearest(
    name,
    there.map((one) => one.name),
  );
  if (near !== undefined) return there.filter((one) => one.name === near);
  const namesakes = all.filter((one) => one.name === name);
  const inCluster = namesakes.filter((one) => one.cluster === cluster);
  const inNamespace = namesakes.filter((one) => one.namespace === namespace);
  const likely = inCluster.length > 0 ? inCluster : inNamespace;
  return likely.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)).slice(0, MAX_LIKELY);
}

function textOf({ cluster, namespace, name }: ResourceRef): string {
  return `${cluster} ${namespace} ${name}`;
}
