/** Which policies affect which targets, from the provenance of views and outputs. */
import type { PolicyRef, ResourceRef } from '@meshrelay/api';
import { type ControlPlane, canonicalJson, key } from '@meshrelay/relay-core';

/** Policies by the names that {@link refId} gives them. */
type Policies = ReadonlySet<string>;

export interface Effects {
  /**
   * Policies that views of the target name. Subsets do not count as an effect of a policy on their Service, because
   * routes of other Services send there.
   */
  readonly viewed: (target: ResourceRef) => Policies;
  /** Policies that request subsets of the target. */
  readonly divided: (target: ResourceRef) => Policies;
  /** Policies with objects or patches for the target, applied or not. */
  readonly written: (target: ResourceRef) => Policies;
}

export function effectsIn({ resolved, origins }: ControlPlane): Effects {
  const [viewed, divided, written] = [new ByTarget(), new ByTarget(), new ByTarget()];
  const check = (kind: string, target: string, view: object): void => {
    for (const [name, part] of Object.entries(view))
      for (const ref of refsIn(part)) (name === 'subsets' ? divided : viewed).add(kind, target, ref);
  };
  for (const views of [resolved.destinationViews, resolved.federatedDestinationViews, resolved.endpointsViews])
    for (const [, view] of views.entries()) check('Destination', view.destination.key, view);
  for (const [id, view] of resolved.extensions.workloadViews.entries()) check('Workload', id, view);
  for (const [id, view] of resolved.meshViews.entries()) check('Mesh', id, view);
  for (const collection of [origins.proposals, origins.contributions, origins.patches])
    for (const [, group] of collection.entries())
      for (const { target, sourcePolicies } of group)
        for (const ref of sourcePolicies) written.add(target.kind, target.key, ref);
  return { viewed: viewed.of, divided: divided.of, written: written.of };
}

/** The name of a policy. */
export function refId({ kind, cluster, namespace, name }: PolicyRef): string {
  return canonicalJson([kind, cluster, namespace, name]);
}

class ByTarget {
  readonly #policies = new Map<string, Set<string>>();

  add(kind: string, target: string, ref: PolicyRef): void {
    const id = `${kind} ${target}`;
    const found = this.#policies.get(id) ?? new Set();
    this.#policies.set(id, found.add(refId(ref)));
  }

  readonly of = ({ kind, cluster, namespace, name }: ResourceRef): Policies =>
    this.#policies.get(`${kind} ${key(cluster, namespace, name)}`) ?? NO_READER;
}

const NO_READER: Policies = new Set();

const REF_FIELDS = 'cluster,kind,name,namespace';

/** References to policies are the only objects in views with exactly these fields. */
function* refsIn(value: unknown): Generator<PolicyRef> {
  if (typeof value !== 'object' || value === null) return;
  if (Object.keys(value).sort().join() === REF_FIELDS) yield value as PolicyRef;
  else for (const part of Object.values(value)) yield* refsIn(part);
}
