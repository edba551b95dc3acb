/**
 * Reconciles one field of a user's object with its desired value, or restores its previous value. Never creates or
 * deletes the object itself.
 */
import type { KubeObject, PatchedField } from '@meshrelay/api';
import { SequentialQueue } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, type ObjectKey } from '@meshrelay/kube';
import { apiVersionOf, type ObjectPatchSpec, type ResourceKind, readObjectPatch } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { type RightsCommand, withCommand } from '../../rights/missing-right.ts';
import type { DesiredTable } from '../desired-table.ts';
import { type Fence, FencedError } from '../fence.ts';
import type { ReconcileKey, ReconcileResult } from '../object-writer.ts';
import type { OutputLedgerStore } from '../output-ledger.ts';
import { failureOf } from '../rejections.ts';
import type { PatchPermissions } from './patch-permissions.ts';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';
import { type PatchIdentity, type PatchPlan, planOperation, planRestore } from './plan.ts';

/** The part of the ledger that patches need. */
export type PatchLedger = Pick<OutputLedgerStore, 'patches' | 'keepPatches'>;

export interface PatchWriterOptions {
  readonly connection: KubeConnection;
  readonly desired: DesiredTable;
  readonly rights: PatchPermissions;
  readonly ledger: PatchLedger;
  readonly fence: Fence;
  readonly requestSignal: () => AbortSignal;
  readonly rightsCommand: RightsCommand;
  readonly logger: Logger;
}

/** Attempts per reconciliation that may lose a race before it fails. */
const ATTEMPTS = 5;

export class PatchWriter {
  readonly #options: PatchWriterOptions;
  readonly #queue = new SequentialQueue();
  #stopped = false;

  constructor(options: PatchWriterOptions) {
    this.#options = options;
  }

  /**
   * Reconciles the field. Patches are few and run in sequence. @throws FencedError when this replica may no longer
   * write
   */
  reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    return this.#queue.run(() => this.#reconcile(subject));
  }

  /** Sends no further write; the current one runs to its end. */
  stop(): void {
    this.#stopped = true;
  }

  async #reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#step(subject);
      } catch (error) {
        if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT') && attempt < ATTEMPTS) continue;
        if (error instanceof FencedError) throw error;
        if (error instanceof PatchTypeMismatchError)
          return {
            result: 'failed',
            code: 'PATCH_TYPE_MISMATCH',
            reason: `${error.message}; correct the value in the object`,
            retry: false,
          };
        const retry = !isKubeError(error) || error.retry !== 'never';
        return { result: 'failed', ...failureOf(error), retry };
      }
    }
  }

  async #step(subject: ReconcileKey): Promise<ReconcileResult> {
    const { desired, ledger } = this.#options;
    const record = ledger.patches.find((one) => isRecordOf(one, subject.key));
    const target = desired.get(subject.id);
    if (target?.state === 'object') {
      const patch = readObjectPatch(target.output.object.spec);
      return patch === undefined
        ? failed('ENVELOPE_MISMATCH', 'its spec names no field of an object', false)
        : await this.#patch(subject, patch, record);
    }
    if (target?.state !== 'nothing') return { result: 'unchanged' };
    if (record === undefined) {
      desired.settle(subject.id);
      return { result: 'unchanged' };
    }
    return await this.#restore(subject, record);
  }

  async #patch(
    subject: ReconcileKey,
    patch: ObjectPatchSpec,
    record: PatchedField | undefined,
  ): Promise<ReconcileResult> {
    const kind = this.#options.rights.kindFor(patch);
    const { object: target, fieldPath, set, include } = patch;
    if (kind === undefined) return notAllowed(fieldPath, target);
    const { namespace, name } = target;
    const object = await this.#read(kind, { namespace, name });
    if (object === undefined) {
      if (record !== undefined) await this.#keep(subject, null);
      const reason = `${kind.kind} ${namespace}/${name} does not exist; create it`;
      return failed('PATCH_TARGET_NOT_FOUND', reason, false);
    }
    const identity: PatchIdentity = { patch: subject.key.name, ...target, fieldPath };
    const operation = include === undefined ? { set: set ?? null } : { include };
    return await this.#carryOut(subject, kind, planOperation(identity, object, operation, record), 'applied');
  }

  async #restore(subject: ReconcileKey, record: PatchedField): Promise<ReconcileResult> {
    const { rights, logger } = this.#options;
    const { apiVersion, kind: kindName, namespace, name, fieldPath } = record;
    const target = { apiVersion, kind: kindName, namespace, name };
    const kind = rights.kindFor({ object: target, fieldPath });
    if (kind === undefined) return notAllowed(fieldPath, target);
    const plan = planRestore(await this.#read(kind, { namespace, name }), record);
    if (plan.left === true)
      logger.warn('another client changed a patched field, which stays as it is', {
        kind: kindName,
        namespace,
        name,
        fieldPath,
      });
    return await this.#carryOut(subject, kind, plan, 'deleted');
  }

  async #carryOut(
    subject: ReconcileKey,
    kind: ResourceKind,
    plan: PatchPlan,
    result: 'applied' | 'deleted',
  ): Promise<ReconcileResult> {
    if (plan.record !== undefined) await this.#keep(subject, plan.record);
    if (plan.write !== undefined) {
      this.#checkFence();
      const { connection, requestSignal, rightsCommand } = this.#options;
      const { namespace = '', name } = plan.write.metadata;
      try {
        await connection.objects(kind).replace(plan.write, { signal: requestSignal() });
      } catch (error) {
        throw withCommand(error, rightsCommand(`--patch ${namespace}/${name}`));
      }
    }
    if (plan.drop === true) await this.#keep(subject, null);
    return { result: plan.write === undefined ? 'unchanged' : result };
  }

  async #keep({ key }: ReconcileKey, record: PatchedField | null): Promise<void> {
    this.#checkFence();
    await this.#options.ledger.keepPatches((patches) => {
      const others = patches.filter((one) => !isRecordOf(one, key));
      return record === null ? others : [...others, record];
    });
  }

  async #read(kind: ResourceKind, key: ObjectKey): Promise<KubeObject | undefined> {
    const { connection, requestSignal } = this.#options;
    const found = await connection.objects(kind).read(key, { signal: requestSignal() });
    return found === undefined ? undefined : { ...found, apiVersion: apiVersionOf(kind), kind: kind.kind };
  }

  #checkFence(): void {
    if (this.#stopped) throw new FencedError('this replica stops writing');
    this.#options.fence.check();
  }
}

function isRecordOf(record: PatchedField, { namespace = '', name }: ObjectKey): boolean {
  return record.namespace === namespace && record.patch === name;
}

function failed(code: string, reason: string, retry: boolean): ReconcileResult {
  return { result: 'failed', code, reason, retry };
}

function notAllowed(fieldPath: string, { kind, namespace, name }: ObjectPatchSpec['object']): ReconcileResult {
  const reason = `no plugin of this agent may patch ${fieldPath} of ${kind} ${namespace}/${name}`;
  return failed('NOT_ALLOWED', reason, false);
}
