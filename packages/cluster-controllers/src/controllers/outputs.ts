/** Applies the server's outputs and repairs drift from them. */
import type { ObjectKey as KubeKey } from '@meshrelay/kube';
import { OBJECT_PATCH, OBJECT_STATUS, type ResourceKind } from '@meshrelay/relay-core';
import { Applier } from '../apply/applier.ts';
import type { DesiredTable } from '../apply/desired-table.ts';
import { FencedError } from '../apply/fence.ts';
import type { AppliedInventory } from '../apply/inventory.ts';
import type { LiveObjects } from '../apply/live-objects.ts';
import { ObjectWriter, type ReconcileKey, type ReconcileResult } from '../apply/object-writer.ts';
import type { OutputLedgerStore } from '../apply/output-ledger.ts';
import type { PatchPermissions } from '../apply/patch/patch-permissions.ts';
import type { PatchWatch } from '../apply/patch/patch-watch.ts';
import { PatchWriter } from '../apply/patch/patch-writer.ts';
import { patchSubject } from '../apply/patch/patched.ts';
import type { RefusedOutputs } from '../apply/refused-outputs.ts';
import { RepairQueue } from '../apply/repair-queue.ts';
import { StatusApplier } from '../apply/status-applier.ts';
import type { UnconfirmedWrites } from '../apply/unconfirmed-writes.ts';
import type { WrittenKinds } from '../apply/written-kinds.ts';
import type { ClusterContext } from '../cluster-context.ts';
import type { ClusterInputs } from '../input/cluster-inputs.ts';
import type { Term } from '../leadership/term.ts';

/** What outputs are applied with. */
export interface OutputSources {
  readonly kinds: WrittenKinds;
  readonly rights: PatchPermissions;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  readonly unconfirmed: UnconfirmedWrites;
  readonly patchWatch: PatchWatch;
  readonly inputs: Pick<ClusterInputs, 'isAbsent'>;
  readonly ledger: OutputLedgerStore;
  readonly inventory: AppliedInventory;
  readonly refused: RefusedOutputs;
}

/** Disposal finishes only the current write. */
export interface Outputs extends AsyncDisposable {
  readonly applier: Applier;
  readonly repairs: RepairQueue;
}

export function startOutputs(context: ClusterContext, term: Term, sources: OutputSources): Outputs {
  const { connection, config, clock, now, random, logger, counters, rightsCommand } = context;
  const { fence, requestSignal } = term;
  const { kinds, rights, desired, live, unconfirmed, patchWatch, inputs, ledger, inventory, refused } = sources;
  const owner = config.managementNamespace;
  const log = logger.child('apply');
  const writer = new ObjectWriter({
    connection,
    desired,
    live,
    unconfirmed,
    isAbsent: (kind) => inputs.isAbsent(kind),
    fence,
    forget: (id) => inventory.forget([id]),
    resolved: (id) => inventory.resolved(id),
    owner,
    requestSignal,
  });
  const patchWriter = new PatchWriter({
    connection,
    desired,
    rights,
    ledger,
    fence,
    requestSignal,
    rightsCommand,
    logger: log,
  });
  const statusApplier = new StatusApplier({ connection, desired, fence, requestSignal, now });

  const reconcile = (subject: ReconcileKey): Promise<ReconcileResult> => {
    if (subject.kind === OBJECT_PATCH) return patchWriter.reconcile(subject);
    return subject.kind === OBJECT_STATUS ? statusApplier.reconcile(subject) : writer.reconcile(subject);
  };

  const repair = async (subject: ReconcileKey): Promise<ReconcileResult> => {
    const outcome = await reconcile(subject);
    const { id, kind, key } = subject;
    if (outcome.result === 'failed') {
      const { code, reason } = outcome;
      logger.warn('output not applied', { kind: kind.kind, ...key, code, reason });
      return outcome;
    }
    if (outcome.result !== 'unchanged') {
      logger.info('output repaired', { kind: kind.kind, ...key, result: outcome.result });
      counters.repaired(kind.kind);
    }
    refused.repaired(id, kind);
    return outcome;
  };
  const repairs = new RepairQueue({
    repair,
    onError: (error, { kind, key }) => {
      if (!(error instanceof FencedError)) logger.error('repair failed', { kind: kind.kind, ...key, error });
    },
    clock,
    random,
  });

  const count = ({ id, kind, key }: ReconcileKey, outcome: ReconcileResult): void => {
    if (outcome.result === 'failed') {
      const { code, reason } = outcome;
      refused.add(id, { object: `${kind.kind} ${key.namespace ?? ''}/${key.name}`, code, reason });
      counters.refused(kind.kind, code);
      return;
    }
    refused.delete(id);
    if (outcome.result !== 'unchanged') counters.written(kind.kind, outcome.result);
  };
  const applier = new Applier({
    kinds,
    desired,
    live,
    rights,
    reconcile,
    patched: () => ledger.patches.map(patchSubject),
    beforeDeleting: async (ids) => void (await inventory.forget(ids)),
    owner,
    applied: (vector) => ledger.note(vector),
    outcome: count,
    again: (subject) => repairs.retry(subject),
    logger: log,
  });

  /** Another writer changed or deleted an object, or the watch returned the agent's own write. */
  const drifted = (id: string, kind: ResourceKind, metadata: KubeKey): void => {
    const subject = { id, kind, key: keyOf(metadata) };
    if (!writer.isSettled(subject)) repairs.add(subject);
  };
  /** The kind was listed: undesired objects can be deleted now, and writes that needed the list can proceed. */
  const listed = (kind: ResourceKind): void => {
    applier.prune().catch((error: unknown) => {
      if (!(error instanceof FencedError)) logger.error('unwanted objects cannot be deleted', { error });
    });
    for (const { id, kind: of, object } of desired.outputs()) if (of === kind) drifted(id, kind, object.metadata);
  };
  live.listen({ changed: drifted, becameKnown: listed });
  patchWatch.listen((patch) => repairs.add(patchSubject(patch)));

  return {
    applier,
    repairs,
    async [Symbol.asyncDispose]() {
      for (const each of [writer, patchWriter, statusApplier]) each.stop();
      await Promise.all([applier.stop(), repairs[Symbol.asyncDispose]()]);
    },
  };
}

function keyOf({ namespace, name }: KubeKey): KubeKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
