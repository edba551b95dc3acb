/** Policies as clusters report them, each once, with their faults. */
import { type Policy, type PolicyRef, type Report, validateObject } from '@meshrelay/api';
import { type Collection, key } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { trustFaults } from './trust-settings.ts';

/** An existing policy, valid or not. */
export interface ObservedPolicy {
  readonly ref: PolicyRef;
  readonly uid?: string;
  /** 0 for objects that have none. */
  readonly generation: number;
  /** Absent if it cannot be parsed. */
  readonly object?: Policy;
  /** Why it cannot take effect as written; empty if it can. */
  readonly faults: readonly Report[];
}

/**
 * Every policy, under the policies' keys.
 * @param namespace the management namespace
 */
export function observedPolicies(
  graph: Graph,
  fleetState: Pick<FleetState, 'policies' | 'unreadable'>,
  namespace: string,
): Collection<ObservedPolicy> {
  const read = graph.derive('resolve/read-policies', fleetState.policies, ({ ref, object, faults }): ObservedPolicy => {
    const { uid, generation = 0 } = object.metadata;
    const found = faults ?? validateObject(object);
    return {
      ref,
      ...(uid === undefined ? {} : { uid }),
      generation,
      object,
      // A policy that violates its schema is not checked further.
      faults: found.length > 0 ? found : trustFaults(object, namespace),
    };
  });
  const unreadable = graph.derive(
    'resolve/unreadable-policies',
    fleetState.unreadable,
    ({ reports, generation = 0, ...policy }): ObservedPolicy => ({ ...policy, generation, faults: reports }),
  );
  return graph.join('resolve/observed-policies', [read, unreadable]);
}

/**
 * Every policy once. The management cluster may also be registered as a workload cluster, and then reports its policies
 * twice. An object has the same uid in every report, so a policy with the uid of a management cluster's policy is that
 * policy.
 */
export function distinctPolicies(graph: Graph, reported: Collection<ObservedPolicy>): Collection<ObservedPolicy> {
  const managed = graph.index(reported, 'resolve/management-policies-by-uid', ({ ref, uid }) =>
    ref.cluster === '' && uid !== undefined ? [key(uid)] : [],
  );
  return graph.derive('resolve/distinct-policies', reported, (policy, read) => {
    const { ref, uid } = policy;
    const twice = ref.cluster !== '' && uid !== undefined && read.count(managed, key(uid)) > 0;
    return twice ? undefined : policy;
  });
}
