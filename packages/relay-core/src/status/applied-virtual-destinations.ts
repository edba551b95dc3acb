/** Virtual destinations as the statuses of meshes and destinations list them: the callers, and the backends. */
import { type AppliedPolicy, MAX_APPLIED_POLICIES } from '@meshrelay/api';
import type { Collection, Key } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { Resolved } from '../resolve/mod.ts';
import { comparePrecedence } from '../store/precedence.ts';

/** The first ones in order of precedence. */
export interface AppliedVirtualDestinations {
  readonly virtualDestinations: readonly AppliedPolicy[];
}

export interface AppliedVirtual {
  /** By mesh key: those that the mesh's workloads can call. */
  readonly ofMesh: Collection<AppliedVirtualDestinations>;
  /** By destination key: those that it is a backend of. */
  readonly ofDestination: Collection<AppliedVirtualDestinations>;
}

/** Computes both collections. */
export function appliedVirtualDestinations(
  graph: Graph,
  { policies, virtualDestinations: { plans, consumers } }: Pick<Resolved, 'policies' | 'virtualDestinations'>,
): AppliedVirtual {
  const behind = graph.group('status/virtual-destinations-by-destination', plans, ({ key, members }) =>
    members.map(({ destination }): readonly [Key, Key] => [destination, key]),
  );
  const callable = graph.group(
    'status/virtual-destinations-by-mesh',
    consumers.all,
    ({ consumer, virtualDestination, rejection }): Array<readonly [Key, Key]> =>
      rejection === undefined ? [[consumer, virtualDestination]] : [],
  );
  const applied = (name: string, of: typeof behind): Collection<AppliedVirtualDestinations> =>
    graph.derive(name, of, (keys, read) => ({
      virtualDestinations: keys
        .flatMap((policy) => read.get(policies.checked, policy) ?? [])
        .sort(comparePrecedence)
        .slice(0, MAX_APPLIED_POLICIES)
        .map(({ ref, object }): AppliedPolicy => ({ ref, observedGeneration: object.metadata.generation ?? 0 })),
    }));
  return {
    ofMesh: applied('status/virtual-destinations-of-mesh', callable),
    ofDestination: applied('status/virtual-destinations-of-destination', behind),
  };
}
