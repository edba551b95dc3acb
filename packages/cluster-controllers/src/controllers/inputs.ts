/** Watches the cluster: discovery, push and apply read from these watches. */
import { NAMESPACE, namespaceObject, type ResourceKind } from '@meshrelay/relay-core';
import type { ObjectTable } from '@meshrelay/relay-protocol';
import type { ClusterContext } from '../cluster-context.ts';
import type { DiscoveryLoop } from '../discover/discovery-loop.ts';
import { DiscoveryReader } from '../discover/discovery-reader.ts';
import { ClusterInputs } from '../input/cluster-inputs.ts';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import type { KindReader } from '../input/tick.ts';
import { pushDiscovered } from '../push/discovered-push.ts';
import { ObjectPush } from '../push/object-push.ts';

export interface InputTargets {
  readonly loop: DiscoveryLoop;
  /** Receives what is pushed to the server. */
  readonly table: ObjectTable;
  /** Kinds that are pushed as they are, in addition to policies and namespaces. */
  readonly reported: readonly ResourceKind[];
  /** Further readers of the watches. */
  readonly readers: readonly KindReader[];
}

/** Watches, and pushes results of discovery, until the stack is disposed of. */
export function startInputs(
  { connection, clock, logger }: ClusterContext,
  work: AsyncDisposableStack,
  { loop, table, reported, readers }: InputTargets,
): ClusterInputs {
  work.defer(loop.listen((changes, observed) => pushDiscovered(table, loop.discovery, changes, observed)));
  const knownChanged = (known: boolean): void => {
    for (const kind of DISCOVERED_KINDS) {
      if (known) table.markSynced(kind);
      else table.markUnsynced(kind);
    }
  };
  const onError = (kind: ResourceKind, error: unknown): void =>
    logger.error('objects cannot be added to discovery', { kind: kind.kind, error });
  return work.use(
    new ClusterInputs({
      connection,
      readers: [
        new DiscoveryReader({ loop, knownChanged, onError }),
        new ObjectPush(table, POLICY_KINDS),
        new ObjectPush(table, [NAMESPACE], namespaceObject),
        new ObjectPush(table, reported),
        ...readers,
      ],
      logger: logger.child('inputs'),
      clock,
    }),
  );
}
