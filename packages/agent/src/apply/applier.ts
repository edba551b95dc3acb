/** Applies what the server sends: only what is ours, in order, fenced; and keeps it so. */
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
import { forEachLimited } from './limited.ts';
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
  /** Brings an object, or a patch of one, to what is wanted of it. */
  readonly reconcile: (subject: ReconcileKey) => Promise<ReconcileResult>;
  /** Patches that are on record, whether they are still wanted or not. */
  readonly patched: () => readonly ReconcileKey[];
  /** Called before these are deleted, so that it is noted down of all at once; the writer sees to it for each. */
  readonly beforeDeleting: (ids: readonly string[]) => Promise<void>;
  /** What the owner label of our objects says. */
  readonly owner: string;
  /** Told when a batch was worked through. */
  readonly applied: (vector: InputVector) => void;
  /** An object could not be brought to what is wanted; trying again may help. */
  readonly again: (subject: ReconcileKey) => void;
  /** Told of each write and each refusal, for metrics. */
  readonly outcome: (subject: ReconcileKey, outcome: ReconcileResult) => void;
  readonly logger: Logger;
}

/** Objects of one kind worked on at once. */
const CONCURRENCY = 8;

export class Applier implements OutputApplier {
  readonly #options: ApplierOptions;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Batches follow each other. @throws FencedError when nothing may be written any more */
  apply(batch: OutputBatch): Promise<readonly ObjectRejection[]> {
    const turn = this.#running.then(() => this.#apply(batch));
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  /** Deletes what is ours and not wanted, after the batch under way, if both sides are known in full. */
  prune(): Promise<void> {
    const turn = this.#running.then(() => this.#prune());
    this.#running = turn.catch(() => undefined);
    return turn;
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
    this.#options.logger.info('objects that are no longer wanted are deleted', { count: unwanted.length });
    await this.#options.beforeDeleting(unwanted.map(({ id }) => id));
    await this.#work(unwanted, 'last-first', (subject, outcome) => this.#report(subject, outcome, ''));
  }

  /** Takes no more; resolves when the batch under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #apply(batch: OutputBatch): Promise<readonly ObjectRejection[]> {
    const { desired, applied } = this.#options;
    const rejections: ObjectRejection[] = [];
    const report = (subject: ReconcileKey, outcome: ReconcileResult, hash: string): void => {
      const rejection = this.#report(subject, outcome, hash);
      if (rejection !== undefined) rejections.push(rejection);
    };
    // Where all was known before and is known after, only what the batch names can have become unwanted.
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

  /** Deletes of kinds that are never written are of nothing we could have made. */
  #toDelete(key: ObjectKey): ReconcileKey[] {
    const kind = this.#options.kinds.find(key);
    return kind === undefined || isClustersOwn(key.namespace) ? [] : [{ id: objectId(key), kind, key: keyOf(key) }];
  }

  /** What the receiver holds for desired although this applier was never told of it stays as it is. */
  #keepWhatIsDesired(batch: OutputBatch): void {
    const { desired, live, patched } = this.#options;
    for (const { id, kind, key } of patched()) {
      if (desired.get(id) === undefined && batch.desires(relayKey(kind, key))) desired.refuse(id);
    }
    for (const { id, kind, object } of live.all()) {
      if (desired.get(id) === undefined && batch.desires(relayKey(kind, object.metadata))) desired.refuse(id);
    }
  }

  /** Kinds one after the other, so that nothing refers to what is not there yet, or no longer. */
  async #work(
    subjects: readonly ReconcileKey[],
    order: 'first-first' | 'last-first',
    report: (subject: ReconcileKey, outcome: ReconcileResult) => void,
  ): Promise<void> {
    const { kinds, reconcile } = this.#options;
    const groups = Map.groupBy(subjects, ({ kind }) => kinds.rank(kind));
    const ranks = [...groups.keys()].sort((a, b) => (order === 'first-first' ? a - b : b - a));
    for (const rank of ranks) {
      await forEachLimited(groups.get(rank) ?? [], CONCURRENCY, async (subject) => {
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
