/** Policies as clusters tell of them, each once, with what is wrong with them. */
import { type Policy, type PolicyRef, type Report, validateObject } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import type { FleetState } from '../store/fleet-state.ts';
import { trustFaults } from './trust-settings.ts';

/** A policy that is there, whatever it is worth. */
export interface ObservedPolicy {
  readonly ref: PolicyRef;
  readonly uid?: string;
  /** 0 for objects that have none. */
  readonly generation: number;
  /** Absent where it cannot be read. */
  readonly object?: Policy;
  /** Why it cannot take effect as it is written; empty where it can. */
  readonly faults: readonly Report[];
}

/** Every policy, under the policies' keys. @param namespace the management namespace */
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
      // What breaks rules of its schema is not looked into.
      faults: found.length > 0 ? found : trustFaults(object, namespace),
    };
  });
  const unreadable = graph.derive(
    'resolve/unreadable-policies',
    fleetState.unreadable,
    ({ reports, generation = 0, ...policy }): ObservedPolicy => ({ ...policy, generation, faults: reports }),
  );
  return graph.join('resolve/told-policies', [read, unreadable]);
}

/**
 * Every policy once: the management cluster may be registered as a workload cluster too, and then tells of its policies twice. An object has
 * one uid wherever it is told of, so a policy with the uid of one of the management cluster is that one.
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
