/** Reconciles one object of the cluster with its desired state, by at most one successful write. */
import type { KubeObject } from '@meshrelay/api';
import { KeyedQueue } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, type ObjectClient, type ObjectKey } from '@meshrelay/kube';
import { apiVersionOf, OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import type { DesiredOutput } from './admit-output.ts';
import type { DesiredTable } from './desired-table.ts';
import { type Fence, FencedError } from './fence.ts';
import type { LiveObject, LiveObjects } from './live-objects.ts';
import { APPLIED_ANNOTATION, marked, termOf } from './marks.ts';
import { failureOf } from './rejections.ts';
import { sameAsApplied } from './same-as-applied.ts';
import type { UnconfirmedWrites } from './unconfirmed-writes.ts';

export interface ReconcileKey {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly key: ObjectKey;
}

/** Result of a reconciliation. With `failed`, `retry` is true if a retry without any change may help. */
export type ReconcileResult =
  | { readonly result: 'unchanged' | 'applied' | 'deleted' }
  | { readonly result: 'failed'; readonly code: string; readonly reason: string; readonly retry: boolean };

export interface ObjectWriterOptions {
  readonly connection: KubeConnection;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  /** Writes without a response, which the writer records. */
  readonly unconfirmed: UnconfirmedWrites;
  /** Whether the kind is known not to exist in the cluster. */
  readonly isAbsent: (kind: ResourceKind) => boolean;
  readonly fence: Fence;
  /**
   * Await it before an object is deleted. @returns whether the next leader will see that the object is not desired;
   * otherwise the object stays for now
   */
  readonly forget: (id: string) => Promise<boolean>;
  /** Called when the result of a write to an object is known again. */
  readonly resolved: (id: string) => void;
  /** Value of the owner label on managed objects. */
  readonly owner: string;
  /** Limits each request, so none outlives the Lease under which it was sent. */
  readonly requestSignal: () => AbortSignal;
}

/** Attempts per reconciliation that may lose a race before it fails. */
const ATTEMPTS = 5;

/**
 * A version that no object has: an apply with it creates the object, and the API server rejects it if the object
 * exists.
 */
const NO_VERSION = '9223372036854775807';

export class ObjectWriter {
  readonly #options: ObjectWriterOptions;
  /** Versions of live objects that result from applying an output, by object. */
  readonly #settled = new Map<string, { readonly hash: string; readonly version: string | undefined }>();
  readonly #queue = new KeyedQueue();
  #stopped = false;

  constructor(options: ObjectWriterOptions) {
    this.#options = options;
  }

  /**
   * Reconciles the object. Calls for one object run in sequence; each reads the desired state when it starts.
   * @throws FencedError when this replica may no longer write
   */
  reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    return this.#queue.run(subject.id, () => this.#reconcile(subject));
  }

  /** Sends no further write; the current one runs to its end. */
  stop(): void {
    this.#stopped = true;
  }

  /** Whether the object matches its desired state, according to the watches. */
  isSettled({ id, kind }: ReconcileKey): boolean {
    const target = this.#options.desired.get(id);
    const live = this.#options.live.get(kind, id);
    if (target?.state === 'object')
      return live !== undefined && this.#isManaged(live.object) && this.#isSame(live, target.output);
    return target?.state !== 'nothing' || live === undefined || !this.#isManaged(live.object);
  }

  async #reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    const { live } = this.#options;
    let fresh = live.knows(subject.kind);
    for (let attempt = 1; ; attempt++) {
      try {
        if (!fresh) await this.#read(subject);
        if (this.#isToGo(subject) && !(await this.#options.forget(subject.id))) return notForgotten(subject);
        return await this.#step(subject);
      } catch (error) {
        const raced = isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS', 'RELAY_E_KUBE_FIELD_CONFLICT');
        if (raced && attempt < ATTEMPTS) {
          fresh = false;
          continue;
        }
        return this.#failure(error);
      }
    }
  }

  /** Makes one decision on the current state, and the write that follows from it. */
  async #step(subject: ReconcileKey): Promise<ReconcileResult> {
    const { desired, live } = this.#options;
    const target = desired.get(subject.id);
    const there = live.get(subject.kind, subject.id);
    if (target?.state === 'object') {
      if (target.restored === true && isOfAnotherOutput(there?.object, target.output)) return { result: 'unchanged' };
      return await this.#apply(subject, target.output, there);
    }
    if (target?.state !== 'nothing') return { result: 'unchanged' };
    if (there === undefined || !this.#isManaged(there.object)) {
      desired.settle(subject.id);
      return { result: 'unchanged' };
    }
    return await this.#delete(subject, there.object);
  }

  #isToGo({ id, kind }: ReconcileKey): boolean {
    const there = this.#options.live.get(kind, id);
    return this.#options.desired.get(id)?.state === 'nothing' && there !== undefined && this.#isManaged(there.object);
  }

  async #apply(subject: ReconcileKey, output: DesiredOutput, there: LiveObject | undefined): Promise<ReconcileResult> {
    if (there !== undefined && !this.#isManaged(there.object)) return foreign(subject, there.object);
    if (there !== undefined && this.#isSame(there, output)) return { result: 'unchanged' };
    const { fence, live, isAbsent } = this.#options;
    if (isAbsent(subject.kind)) return notInstalled(subject);
    const object = marked(output.object, output.hash, fence.term);
    const { uid, resourceVersion } = there?.object.metadata ?? {};
    const options =
      there === undefined
        ? { force: false, expected: { resourceVersion: NO_VERSION } }
        : { force: true, expected: { uid, resourceVersion } };
    this.#checkFence(there?.object);
    const sent = this.#client(subject).apply(object, { ...options, signal: this.#options.requestSignal() });
    const { answer: stored, current } = await this.#ask(subject, this.#watched(subject, there?.object, sent));
    if (current) live.saw(subject.kind, stored);
    this.#settled.set(subject.id, { hash: output.hash, version: stored.metadata.resourceVersion });
    // The API server decides: if it would have stored the same object, it wrote nothing.
    return { result: stored.metadata.resourceVersion === resourceVersion ? 'unchanged' : 'applied' };
  }

  async #delete(subject: ReconcileKey, object: KubeObject): Promise<ReconcileResult> {
    const { live } = this.#options;
    const { metadata } = object;
    // The object is already being deleted and waits for finalizers of other controllers.
    if (metadata.deletionTimestamp) return { result: 'unchanged' };
    const { uid, resourceVersion } = metadata;
    this.#checkFence(object);
    const expected = { uid, resourceVersion };
    const sent = this.#client(subject).delete(subject.key, { expected, signal: this.#options.requestSignal() });
    await this.#watched(subject, object, sent);
    if ((metadata.finalizers ?? []).length === 0) live.missed(subject.kind, subject.id);
    this.#settled.delete(subject.id);
    return { result: 'deleted' };
  }

  async #read(subject: ReconcileKey): Promise<void> {
    const { live } = this.#options;
    const sent = this.#client(subject).read(subject.key, { signal: this.#options.requestSignal() });
    const { answer: found, current } = await this.#ask(subject, sent);
    if (!current) return;
    if (found === undefined) live.missed(subject.kind, subject.id);
    else live.saw(subject.kind, { ...found, apiVersion: apiVersionOf(subject.kind), kind: subject.kind.kind });
  }

  /** Tracks a write of this version of the object: without a response, it may still land on that version. */
  async #watched<T>({ id }: ReconcileKey, there: KubeObject | undefined, sent: Promise<T>): Promise<T> {
    try {
      const answer = await sent;
      if (this.#options.unconfirmed.settle(id)) this.#options.resolved(id);
      return answer;
    } catch (error) {
      if (!wasAnswered(error)) this.#options.unconfirmed.raise(id, there);
      throw error;
    }
  }

  /** Waits for a response. It is not current if the watch reported a removal meanwhile; then the watch is right. */
  async #ask<T>({ id }: ReconcileKey, sent: Promise<T>): Promise<{ readonly answer: T; readonly current: boolean }> {
    const { live } = this.#options;
    live.requested(id);
    try {
      return { answer: await sent, current: live.answered(id) };
    } catch (error) {
      live.answered(id);
      throw error;
    }
  }

  /**
   * Does not change an object that a newer term has written. The version as a precondition ensures this in the API
   * server as well.
   */
  #checkFence(there: KubeObject | undefined): void {
    if (there !== undefined) this.#options.fence.saw(termOf(there));
    if (this.#stopped) throw new FencedError('this replica stops writing');
    this.#options.fence.check();
  }

  #isSame({ id, object }: LiveObject, output: DesiredOutput): boolean {
    const { hash, object: desiredOutput } = output;
    const settled = this.#settled.get(id);
    if (settled?.hash === hash && settled.version === object.metadata.resourceVersion) return true;
    return sameAsApplied(object, desiredOutput, hash) && !this.#mayChangeLate(object, output);
  }

  /**
   * Whether a former leader's write to the current version may still be in flight. The agent then writes the object
   * once in this term, even if it is up to date, so the API server rejects the late write.
   */
  #mayChangeLate(object: KubeObject, output: DesiredOutput): boolean {
    return termOf(object) < this.#options.fence.term && !this.#options.desired.wasDesired(output);
  }

  #isManaged({ metadata }: KubeObject): boolean {
    return metadata.labels?.[OWNER_LABEL] === this.#options.owner;
  }

  #client({ kind }: ReconcileKey): ObjectClient {
    return this.#options.connection.objects(kind);
  }

  #failure(error: unknown): ReconcileResult {
    if (error instanceof FencedError) throw error;
    const retry = !isKubeError(error) || error.retry !== 'never' || error.code === 'RELAY_E_KUBE_NOT_FOUND';
    return { result: 'failed', ...failureOf(error), retry };
  }
}

/**
 * Whether the live object comes from another output than the one in the inventory: a newer one, which must not be
 * undone.
 */
function isOfAnotherOutput(there: KubeObject | undefined, { hash }: DesiredOutput): boolean {
  const applied = there?.metadata.annotations?.[APPLIED_ANNOTATION];
  return applied !== undefined && applied !== hash;
}

/** A request that the server rejected had no effect; a failure of the server itself leaves the result open. */
function wasAnswered(error: unknown): boolean {
  return isKubeError(error) && error.status !== undefined && error.status < 500;
}

/** The deletion might land under the next leader, which may want the object and would not notice. */
function notForgotten({ kind, key }: ReconcileKey): ReconcileResult {
  const reason = `${kind.kind} ${key.namespace ?? ''}/${key.name} is pending deletion: the OutputLedger cannot be updated; the agent retries`;
  return { result: 'failed', code: 'PRUNE_PENDING', reason, retry: true };
}

/** A retry helps only when the kind exists; its watch reports that. */
function notInstalled({ kind }: ReconcileKey): ReconcileResult {
  const reason = `the cluster has no ${kind.kind} of ${apiVersionOf(kind)}; install its CRD`;
  return { result: 'failed', code: 'KIND_NOT_INSTALLED', reason, retry: false };
}

function foreign({ kind, key }: ReconcileKey, { metadata }: KubeObject): ReconcileResult {
  const owner = metadata.labels?.[OWNER_LABEL];
  const whose = owner === undefined ? `has no label ${OWNER_LABEL}` : `belongs to ${owner}`;
  const reason = `${kind.kind} ${key.namespace ?? ''}/${key.name} already exists and ${whose}, so it stays unchanged: rename or delete it`;
  return { result: 'failed', code: 'UNMANAGED_OBJECT_EXISTS', reason, retry: false };
}
