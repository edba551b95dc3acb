/** Applies what the server sends: only what is ours, in order, fenced; and keeps it so. */
import type { ObjectKey as KubeKey } from '@meshrelay/kube';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import {
  type InputVector,
  type ObjectKey,
  type OutputApplier,
  type OutputBatch,
  objectId,
  type Refusal,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { relayKey } from '../push/envelopes.ts';
import type { DesiredTable } from './desired-table.ts';
import { judgeOutput } from './judge-output.ts';
import { forEachLimited } from './limited.ts';
import type { LiveObjects } from './live-objects.ts';
import type { Outcome, Subject } from './object-writer.ts';
import type { PatchPermissions } from './patch/patch-permissions.ts';
import { refusalOf } from './refusals.ts';
import { isClustersOwn } from './remit.ts';
import type { WrittenKinds } from './written-kinds.ts';

export interface ApplierOptions {
  readonly kinds: WrittenKinds;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  readonly rights: PatchPermissions;
  /** Brings an object, or a patch of one, to what is wanted of it. */
  readonly bring: (subject: Subject) => Promise<Outcome>;
  /** Patches that are on record, whether they are still wanted or not. */
  readonly patched: () => readonly Subject[];
  /** Called before these are deleted, so that it is noted down of all at once; the writer sees to it for each. */
  readonly beforeDeleting: (ids: readonly string[]) => Promise<void>;
  /** What the owner label of our objects says. */
  readonly owner: string;
  /** Told when a batch was worked through. */
  readonly applied: (vector: InputVector) => void;
  /** An object could not be brought to what is wanted; trying again may help. */
  readonly again: (subject: Subject) => void;
  /** Told of each write and each refusal, for metrics. */
  readonly outcome: (subject: Subject, outcome: Outcome) => void;
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
  apply(batch: OutputBatch): Promise<readonly Refusal[]> {
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
    const isUnwanted = ({ id }: { readonly id: string }): boolean => desired.get(id)?.want === 'nothing';
    const managed = [...live.all()]
      .filter((one) => one.object.metadata.labels?.[OWNER_LABEL] === owner && isUnwanted(one))
      .filter(({ object }) => !isClustersOwn(object.metadata.namespace ?? ''))
      .map(({ id, kind, object: { metadata } }): Subject => ({ id, kind, key: keyOf(metadata) }));
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

  async #apply(batch: OutputBatch): Promise<readonly Refusal[]> {
    const { desired, applied } = this.#options;
    const refusals: Refusal[] = [];
    const report = (subject: Subject, outcome: Outcome, hash: string): void => {
      const refusal = this.#report(subject, outcome, hash);
      if (refusal !== undefined) refusals.push(refusal);
    };
    // Where all was known before and is known after, only what the batch names can have become unwanted.
    const known = desired.complete && batch.complete;
    if (!known) desired.setComplete(false);
    const hashes = new Map<string, string>();
    const upserts = batch.upserts.flatMap((envelope): Subject[] => {
      const { wanted, refusal } = judgeOutput(envelope, this.#options);
      if (wanted === undefined) {
        if (refusal !== undefined) {
          refusals.push(refusal);
          this.#log(refusal);
        }
        desired.refuse(objectId(envelope));
        return [];
      }
      desired.want(wanted);
      hashes.set(wanted.id, wanted.hash);
      return [{ id: wanted.id, kind: wanted.kind, key: keyOf(wanted.object.metadata) }];
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
    return refusals;
  }

  /** Deletes of kinds that are never written are of nothing we could have made. */
  #toDelete(key: ObjectKey): Subject[] {
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
    subjects: readonly Subject[],
    order: 'first-first' | 'last-first',
    report: (subject: Subject, outcome: Outcome) => void,
  ): Promise<void> {
    const { kinds, bring } = this.#options;
    const groups = Map.groupBy(subjects, ({ kind }) => kinds.rank(kind));
    const ranks = [...groups.keys()].sort((a, b) => (order === 'first-first' ? a - b : b - a));
    for (const rank of ranks) {
      await forEachLimited(groups.get(rank) ?? [], CONCURRENCY, async (subject) => {
        report(subject, await bring(subject));
      });
    }
  }

  #report(subject: Subject, outcome: Outcome, hash: string): Refusal | undefined {
    const { outcome: tell, again } = this.#options;
    tell(subject, outcome);
    if (outcome.result !== 'failed') return undefined;
    if (outcome.retry) again(subject);
    const refusal = refusalOf(relayKey(subject.kind, subject.key), hash, outcome.code, outcome.reason);
    this.#log(refusal);
    return refusal;
  }

  #log({ key, code, reason }: Refusal): void {
    const { kind, namespace, name } = key;
    this.#options.logger.warn('output not applied', { kind, namespace, name, code, reason });
  }
}

function keyOf({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): KubeKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
