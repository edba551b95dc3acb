/** Writes the statuses of this cluster's policies, as the server computes them. */

import { isDeepStrictEqual } from 'node:util';
import type { Condition, JsonObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection, withTransitionTimes } from '@meshrelay/kube';
import { readObjectStatus } from '@meshrelay/relay-core';
import type { DesiredTable } from './desired-table.ts';
import { type Fence, FencedError } from './fence.ts';
import type { ReconcileKey, ReconcileResult } from './object-writer.ts';
import { failureOf } from './rejections.ts';
import { statusKind } from './status-kind.ts';

export interface StatusApplierOptions {
  readonly connection: KubeConnection;
  readonly desired: DesiredTable;
  readonly fence: Fence;
  readonly requestSignal: () => AbortSignal;
  readonly now: () => Date;
}

/** Owns the status fields by server-side apply. */
const FIELD_MANAGER = 'meshrelay-agent';

export class StatusApplier {
  readonly #options: StatusApplierOptions;
  #stopped = false;

  constructor(options: StatusApplierOptions) {
    this.#options = options;
  }

  /** Sends no further write; the current one runs to its end. */
  stop(): void {
    this.#stopped = true;
  }

  /** Writes the status. A deleted policy needs none. @throws FencedError when this replica may no longer write */
  async reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    const target = this.#options.desired.get(subject.id);
    if (target?.state !== 'object') {
      this.#options.desired.settle(subject.id);
      return { result: 'unchanged' };
    }
    try {
      return await this.#write(target.output.object.spec);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      // The policy was deleted while its status was in flight.
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return { result: 'unchanged' };
      const retry = !isKubeError(error) || error.retry !== 'never';
      return { result: 'failed', ...failureOf(error), retry };
    }
  }

  async #write(spec: unknown): Promise<ReconcileResult> {
    const { connection, fence, requestSignal, now } = this.#options;
    const output = readObjectStatus(spec);
    const kind = output === undefined ? undefined : statusKind(output.object.kind);
    if (output === undefined || kind === undefined)
      return {
        result: 'failed',
        code: 'ENVELOPE_MISMATCH',
        reason: 'its spec names no status of a policy',
        retry: false,
      };
    const { namespace, name } = output.object;
    const objects = connection.objects(kind);
    const live = await objects.read({ namespace, name }, { signal: requestSignal() });
    if (live === undefined) return { result: 'unchanged' };
    const status = timed(output.status, live.status, now());
    if (isDeepStrictEqual(status, live.status)) return { result: 'unchanged' };
    if (this.#stopped) throw new FencedError('this replica stops writing');
    fence.check();
    await objects.applyStatus({ namespace, name }, status, {
      fieldManager: FIELD_MANAGER,
      force: true,
      signal: requestSignal(),
    });
    return { result: 'applied' };
  }
}

function timed({ conditions, ...status }: JsonObject, live: unknown, now: Date): JsonObject {
  const before = (live as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
  const list = (Array.isArray(conditions) ? conditions : []) as unknown as readonly Condition[];
  return { ...status, conditions: withTransitionTimes(list, before, now) as unknown as JsonObject[] };
}
