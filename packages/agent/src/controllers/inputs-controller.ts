/** Leader: watches its cluster; discovery and push read from these watches. */
import { NAMESPACE, namespaceObject, type ResourceKind } from '@meshrelay/relay-core';
import { DiscoveryReader } from '../discover/discovery-reader.ts';
import { ClusterInputs } from '../input/cluster-inputs.ts';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import { pushDiscovered } from '../push/discovered-push.ts';
import { ObjectPush } from '../push/object-push.ts';
import type { MemberController } from './controllers.ts';

export const inputsController: MemberController = {
  name: 'inputs',
  runsOn: 'leader',
  start({ connection, clock, logger, leaderTerm }) {
    const { loop, table, kinds, live, patchWatch, certificates } = leaderTerm;
    const unlisten = loop.listen((changes, observed) => pushDiscovered(table, loop.discovery, changes, observed));
    const knownChanged = (known: boolean): void => {
      for (const kind of DISCOVERED_KINDS) {
        if (known) table.markSynced(kind);
        else table.markUnsynced(kind);
      }
    };
    const onError = (kind: ResourceKind, error: unknown): void =>
      logger.error('objects cannot be added to discovery', { kind: kind.kind, error });
    const inputs = new ClusterInputs({
      connection,
      readers: [
        new DiscoveryReader({ loop, knownChanged, onError }),
        new ObjectPush(table, POLICY_KINDS),
        new ObjectPush(table, [NAMESPACE], namespaceObject),
        new ObjectPush(table, kinds.reported),
        live,
        patchWatch,
        ...(certificates === undefined ? [] : [certificates]),
      ],
      logger: logger.child('inputs'),
      clock,
    });
    leaderTerm.inputs = inputs;
    return {
      async [Symbol.asyncDispose]() {
        await inputs[Symbol.asyncDispose]();
        unlisten();
      },
    };
  },
};
