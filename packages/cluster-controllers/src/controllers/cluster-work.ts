/**
 * The work of a cluster's leader in one term, up to the streams: reads the objects of the cluster, discovers its
 * meshes, and applies the desired objects. Each part gets those before it.
 */
import type { AppliedOutputs } from '@meshrelay/api';
import { apiVersionOf, OBJECT_STATUS } from '@meshrelay/relay-core';
import { ObjectTable } from '@meshrelay/relay-protocol';
import { DesiredTable } from '../apply/desired-table.ts';
import { AppliedInventory } from '../apply/inventory.ts';
import { LiveObjects } from '../apply/live-objects.ts';
import { OutputLedgerStore } from '../apply/output-ledger.ts';
import { PatchPermissions } from '../apply/patch/patch-permissions.ts';
import { PatchWatch } from '../apply/patch/patch-watch.ts';
import { desiredPatches } from '../apply/patch/patched.ts';
import { RefusedOutputs } from '../apply/refused-outputs.ts';
import { UnconfirmedWrites } from '../apply/unconfirmed-writes.ts';
import { WrittenKinds } from '../apply/written-kinds.ts';
import type { MeshCertificates } from '../certificates/mesh-certificates.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { DiscoveryLoop } from '../discover/discovery-loop.ts';
import type { ClusterInputs } from '../input/cluster-inputs.ts';
import type { Term } from '../leadership/term.ts';
import type { ServerTransport } from '../relay/server-transport.ts';
import { startCertificates } from './certificates.ts';
import { startInputs } from './inputs.ts';
import { type Outputs, startOutputs } from './outputs.ts';

/** The parts that streams and metrics read. Only state that is stored in the cluster is available in the next term. */
export interface ClusterWork extends AsyncDisposable {
  readonly kinds: WrittenKinds;
  /** Objects to push. */
  readonly table: ObjectTable;
  readonly desired: DesiredTable;
  readonly refused: RefusedOutputs;
  readonly ledger: OutputLedgerStore;
  readonly inventory: AppliedInventory;
  readonly certificates: MeshCertificates;
  readonly loop: DiscoveryLoop;
  readonly inputs: ClusterInputs;
  readonly outputs: Outputs;
}

/**
 * Starts the parts in order. Disposal ends them in reverse order: the last write ends before its watches, and the
 * ledger ends last.
 * @param transport signs intermediate CAs
 * @throws KubeError if the ledger or the inventory cannot be read
 */
export async function startClusterWork(
  context: ClusterContext,
  term: Term,
  transport: Pick<ServerTransport, 'sign'>,
): Promise<ClusterWork> {
  await using work = new AsyncDisposableStack();
  const { connection, config, plugins, identity, clock, logger } = context;
  const { namespace, managementNamespace: owner } = config;
  const { fence, requestSignal } = term;
  const kinds = new WrittenKinds(plugins);
  const rights = new PatchPermissions(plugins);
  const table = new ObjectTable();
  const desired = new DesiredTable();
  const refused = new RefusedOutputs();
  const live = new LiveObjects(kinds.all);
  const unconfirmed = new UnconfirmedWrites(live);

  const ledger = work.use(
    await OutputLedgerStore.open({
      connection,
      namespace,
      fence,
      holder: identity,
      applied: () => countsOf(desired, kinds),
      requestSignal,
      clock,
      logger: logger.child('output-ledger'),
    }),
  );
  const inventory = work.use(
    await AppliedInventory.open({
      connection,
      namespace,
      desired,
      fence,
      admission: { kinds, rights, owner },
      isUnconfirmed: (output) => unconfirmed.has(output),
      requestSignal,
      clock,
      logger: logger.child('inventory'),
    }),
  );
  const certificates = startCertificates(context, { work, fence, transport });
  const loop = new DiscoveryLoop({
    cluster: config.relay.cluster,
    plugins,
    now: () => clock.now(),
    logger: logger.child('discovery'),
    broken: term.stop,
  });
  const patchWatch = new PatchWatch(rights, () => [...desiredPatches(desired), ...ledger.patches]);
  const readers = [live, patchWatch, certificates];
  const inputs = startInputs(context, work, { loop, table, reported: kinds.reported, readers });
  const outputs = work.use(
    startOutputs(context, term, {
      kinds,
      rights,
      desired,
      live,
      unconfirmed,
      patchWatch,
      inputs,
      ledger,
      inventory,
      refused,
    }),
  );
  const running = work.move();
  return {
    kinds,
    table,
    desired,
    refused,
    ledger,
    inventory,
    certificates,
    loop,
    inputs,
    outputs,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Number of desired outputs, by kind. */
function countsOf(desired: DesiredTable, kinds: WrittenKinds): AppliedOutputs[] {
  const counts = desired.counts();
  return kinds.taken.flatMap((kind) => {
    // Statuses are not objects of their own in the cluster.
    if (kind === OBJECT_STATUS) return [];
    const count = counts.get(kind);
    return count === undefined ? [] : [{ apiVersion: apiVersionOf(kind), kind: kind.kind, count }];
  });
}
