/** Applies the outputs of the server in order and fenced, only to managed objects, and keeps them applied. */
import { mapConcurrent, SequentialQueue } from '@meshrelay/concurrency';
import type { ObjectKey as KubeKey } from '@meshrelay/kube';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import {
  type InputVector,
  type ObjectKey,
  type ObjectRejection,
  type OutputApplier,
  type OutputBatch,
  objectId,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { relayKey } from '../push/envelopes.ts';
import { admitOutput } from './admit-output.ts';
import type { DesiredTable } from './desired-table.ts';
import { isClustersOwn } from './forbidden-outputs.ts';
import type { LiveObjects } from './live-objects.ts';
import type { ReconcileKey, ReconcileResult } from './object-writer.ts';
import type { PatchPermissions } from './patch/patch-permissions.ts';
import { rejectionOf } from './rejections.ts';
import type { WrittenKinds } from './written-kinds.ts';

export interface ApplierOptions {
  readonly kinds: WrittenKinds;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  readonly rights: PatchPermissions;
  /** Reconciles an object, or a patch of an object, with its desired state. */
  readonly reconcile: (subject: ReconcileKey) => Promise<ReconcileResult>;
  /** Recorded patches, whether they are still desired or not. */
  readonly patched: () => readonly ReconcileKey[];
  /** Called before a batch of deletions, so one write records them all; the writer also checks each one. */
  readonly beforeDeleting: (ids: readonly string[]) => Promise<void>;
  /** Value of the owner label on managed objects. */
  readonly owner: string;
  /** Called when a batch is complete. */
  readonly applied: (vector: InputVector) => void;
  /** Called when an object could not be reconciled and a retry may help. */
  readonly again: (subject: ReconcileKey) => void;
  /** Called for each write and each rejection, for metrics. */
  readonly outcome: (subject: ReconcileKey, outcome: ReconcileResult) => void;
  readonly logger: Logger;
}

/** Objects of one kind that are reconciled concurrently. */
const CONCURRENCY = 8;

export class Applier implements OutputApplier {
  readonly #options: ApplierOptions;
  readonly #batches = new SequentialQueue();
  #stopped = false;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Applies batches one after the other. @throws FencedError when this replica may no longer write */
  apply(batch: OutputBatch): Promise<readonly ObjectRejection[]> {
    return this.#batches.run(() => this.#apply(batch));
  }

  /**
   * Deletes managed objects that are not desired, after the current batch. Does nothing unless desired state and
   * cluster state are both synced.
   */
  prune(): Promise<void> {
    return this.#batches.run(() => this.#prune());
  }

  async #prune(): Promise<void> {
    if (this.#stopped || !this.#options.desired.complete || !this.#options.live.knowsAll) return;
    const { desired, live, owner, patched } = this.#options;
    const isUnwanted = ({ id }: { readonly id: string }): boolean => desired.get(id)?.state === 'nothing';
    const managed = [...live.all()]
      .filter((one) => one.object.metadata.labels?.[OWNER_LABEL] === owner && isUnwanted(one))
      .filter(({ object }) => !isClustersOwn(object.metadata.namespace ?? ''))
      .map(({ id, kind, object: { metadata } }): ReconcileKey => ({ id, kind, key: keyOf(metadata) }));
    const unwanted = [...managed, ...patched().filter(isUnwanted)];
    if (unwanted.length === 0) return;
    this.#options.logger.info('objects that are no longer desired are deleted', { count: unwanted.length });
    await this.#options.beforeDeleting(unwanted.map(({ id }) => id));
    await this.#work(unwanted, 'last-first', (subject, outcome) => this.#report(subject, outcome, ''));
  }

  /** Accepts no more batches; resolves when the current batch has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#batches.idle();
  }

  async #apply(batch: OutputBatch): Promise<readonly ObjectRejection[]> {
    const { desired, applied } = this.#options;
    const rejections: ObjectRejection[] = [];
    const report = (subject: ReconcileKey, outcome: ReconcileResult, hash: string): void => {
      const rejection = this.#report(subject, outcome, hash);
      if (rejection !== undefined) rejections.push(rejection);
    };
    // If everything was known before and after the batch, only objects that it names can have become undesired.
    const known = desired.complete && batch.complete;
    if (!known) desired.setComplete(false);
    const hashes = new Map<string, string>();
    const upserts = batch.upserts.flatMap((envelope): ReconcileKey[] => {
      const { output, rejection } = admitOutput(envelope, this.#options);
      if (output === undefined) {
        if (rejection !== undefined) {
          rejections.push(rejection);
          this.#log(rejection);
        }
        desired.refuse(objectId(envelope));
        return [];
      }
      desired.desire(output);
      hashes.set(output.id, output.hash);
      return [{ id: output.id, kind: output.kind, key: keyOf(output.object.metadata) }];
    });
    const deletes = batch.deletes.flatMap((key) => this.#toDelete(key));
    for (const { id } of deletes) desired.remove(id);
    if (deletes.length > 0) await this.#options.beforeDeleting(deletes.map(({ id }) => id));
    await this.#work(upserts, 'first-first', (subject, outcome) =>
      report(subject, outcome, hashes.get(subject.id) ?? ''),
    );
    await this.#work(deletes, 'last-first', (subject, outcome) => report(subject, outcome, ''));
    if (batch.complete && !known) {
      this.#keepWhatIsDesired(batch);
      desired.dropRestored(({ kind, object }) => batch.desires(relayKey(kind, object.metadata)));
      desired.setComplete(true);
      await this.#prune();
    }
    applied(batch.vector);
    return rejections;
  }

  /** Ignores deletes of kinds that the agent never writes: the agent cannot have created such an object. */
  #toDelete(key: ObjectKey): ReconcileKey[] {
    const kind = this.#options.kinds.find(key);
    return kind === undefined || isClustersOwn(key.namespace) ? [] : [{ id: objectId(key), kind, key: keyOf(key) }];
  }

  /** Objects that the receiver holds as desired, but that this applier never received, stay unchanged. */
  #keepWhatIsDesired(batch: OutputBatch): void {
    const { desired, live, patched } = this.#options;
    for (const { id, kind, key } of patched()) {
      if (desired.get(id) === undefined && batch.desires(relayKey(kind, key))) desired.refuse(id);
    }
    for (const { id, kind, object } of live.all()) {
      if (desired.get(id) === undefined && batch.desires(relayKey(kind, object.metadata))) desired.refuse(id);
    }
  }

  /** Processes kinds one after the other, so no object refers to one that does not exist yet or any more. */
  async #work(
    subjects: readonly ReconcileKey[],
    order: 'first-first' | 'last-first',
    report: (subject: ReconcileKey, outcome: ReconcileResult) => void,
  ): Promise<void> {
    const { kinds, reconcile } = this.#options;
    const groups = Map.groupBy(subjects, ({ kind }) => kinds.rank(kind));
    const ranks = [...groups.keys()].sort((a, b) => (order === 'first-first' ? a - b : b - a));
    for (const rank of ranks) {
      await mapConcurrent(groups.get(rank) ?? [], CONCURRENCY, async (subject) => {
        report(subject, await reconcile(subject));
      });
    }
  }

  #report(subject: ReconcileKey, outcome: ReconcileResult, hash: string): ObjectRejection | undefined {
    const { outcome: report, again } = this.#options;
    report(subject, outcome);
    if (outcome.result !== 'failed') return undefined;
    if (outcome.retry) again(subject);
    const rejection = rejectionOf(relayKey(subject.kind, subject.key), hash, outcome.code, outcome.reason);
    this.#log(rejection);
    return rejection;
  }

  #log({ key, code, reason }: ObjectRejection): void {
    const { kind, namespace, name } = key;
    this.#options.logger.warn('output not applied', { kind, namespace, name, code, reason });
  }
}

function keyOf({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): KubeKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
