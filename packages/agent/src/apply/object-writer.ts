/** Brings one object of the cluster to what is wanted of it, by at most one write that lands. */
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection, type ObjectClient, type ObjectKey } from '@meshrelay/kube';
import { apiVersionOf, OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import type { DesiredOutput } from './admit-output.ts';
import type { DesiredTable } from './desired-table.ts';
import { type Fence, FencedError } from './fence.ts';
import type { LiveObject, LiveObjects } from './live-objects.ts';
import { APPLIED_ANNOTATION, marked, termOf } from './marks.ts';
import { failureOf } from './rejections.ts';
import { sameAsApplied } from './same-as-applied.ts';
import { UnconfirmedWrites } from './unconfirmed-writes.ts';

/** Which object. */
export interface ReconcileKey {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly key: ObjectKey;
}

/** What became of it. `failed`: `retry` tells whether trying again without any change may help. */
export type ReconcileResult =
  | { readonly result: 'unchanged' | 'applied' | 'deleted' }
  | { readonly result: 'failed'; readonly code: string; readonly reason: string; readonly retry: boolean };

export interface ObjectWriterOptions {
  readonly connection: KubeConnection;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  /** Whether the cluster is known not to have a kind at all. */
  readonly isAbsent: (kind: ResourceKind) => boolean;
  readonly fence: Fence;
  /**
   * To be waited for before an object is deleted. @returns whether it is noted down, for the next leader, that the object is not wanted; without that it
   * stays for now
   */
  readonly forget: (id: string) => Promise<boolean>;
  /** It is known again what became of an object. */
  readonly resolved: (id: string) => void;
  /** What the owner label of our objects says. */
  readonly owner: string;
  /** Bounds each request, so that none outlives the Lease it was sent under. */
  readonly requestSignal: () => AbortSignal;
}

/** Reads and writes that lost a race to others before it is called a failure. */
const ATTEMPTS = 5;

/** A version no object has: an apply with it creates the object, and is refused where there is one. */
const NO_VERSION = '9223372036854775807';

export class ObjectWriter {
  readonly #options: ObjectWriterOptions;
  /** Versions of live objects that are what the API server makes of an output, by object. */
  readonly #settled = new Map<string, { readonly hash: string; readonly version: string | undefined }>();
  readonly #busy = new Map<string, Promise<ReconcileResult>>();
  readonly #unconfirmedWrites = new UnconfirmedWrites();
  #stopped = false;

  constructor(options: ObjectWriterOptions) {
    this.#options = options;
  }

  /**
   * Makes the object so. Calls for one object follow each other, and each looks at what is wanted when its turn comes.
   * @throws FencedError when nothing may be written any more
   */
  async reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    const before = this.#busy.get(subject.id);
    const turn = (before?.catch(() => undefined) ?? Promise.resolve()).then(() => this.#reconcile(subject));
    this.#busy.set(subject.id, turn);
    try {
      return await turn;
    } finally {
      if (this.#busy.get(subject.id) === turn) this.#busy.delete(subject.id);
    }
  }

  /** Whether a write that nobody answered may still change or delete the object as it is. */
  isUnconfirmed({ id, kind }: Pick<ReconcileKey, 'id' | 'kind'>): boolean {
    return this.#unconfirmedWrites.has(id, this.#options.live.get(kind, id)?.object);
  }

  /** Sends no further write; the one under way ends as it ends. */
  stop(): void {
    this.#stopped = true;
  }

  /** Whether the object is as it should be, as far as the watches tell. */
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

  /** One decision on what is known now, and the write that follows from it. */
  async #step(subject: ReconcileKey): Promise<ReconcileResult> {
    const { desired, live } = this.#options;
    const target = desired.get(subject.id);
    const there = live.get(subject.kind, subject.id);
    if (target?.state === 'object') {
      if (target.restored === true && isOfAnotherOutput(there?.object, target.output))
        return { result: 'unchanged' };
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
    // The API server has the last word: where it would have stored the same, nothing was written.
    return { result: stored.metadata.resourceVersion === resourceVersion ? 'unchanged' : 'applied' };
  }

  async #delete(subject: ReconcileKey, object: KubeObject): Promise<ReconcileResult> {
    const { live } = this.#options;
    const { metadata } = object;
    // Deletion was asked for before and waits for finalizers of others.
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

  /** A write of this version of the object: as long as nobody has answered it, it may still land on that version. */
  async #watched<T>({ id }: ReconcileKey, there: KubeObject | undefined, sent: Promise<T>): Promise<T> {
    try {
      const answer = await sent;
      if (this.#unconfirmedWrites.settle(id)) this.#options.resolved(id);
      return answer;
    } catch (error) {
      if (!wasAnswered(error)) this.#unconfirmedWrites.raise(id, there);
      throw error;
    }
  }

  /** Waits for an answer. It is not current where the object was removed meanwhile: then the watch knows better. */
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

  /** What a newer term has written is not changed: with the version as a condition of the write, that holds where it lands. */
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
   * Whether a write of a former leader may still be on its way to the object as it is: then it is written once in this term, even if it is as it should be,
   * and whatever comes late is refused.
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

/** Whether the cluster has the object of another output than the inventory knew: a newer one, which is not to be undone. */
function isOfAnotherOutput(there: KubeObject | undefined, { hash }: DesiredOutput): boolean {
  const applied = there?.metadata.annotations?.[APPLIED_ANNOTATION];
  return applied !== undefined && applied !== hash;
}

/** What a server answered with a refusal has not been done; a failure of the server itself says nothing. */
function wasAnswered(error: unknown): boolean {
  return isKubeError(error) && error.status !== undefined && error.status < 500;
}

/** Its deletion might land when another leads who wants it again, and does not know. */
function notForgotten({ kind, key }: ReconcileKey): ReconcileResult {
  const reason = `${kind.kind} ${key.namespace ?? ''}/${key.name} is not wanted any more, but that cannot be noted in the OutputLedgers now; it stays until it can`;
  return { result: 'failed', code: 'NOT_FORGOTTEN', reason, retry: true };
}

/** Trying again helps only when the kind is there, which its watch will tell. */
function notInstalled({ kind }: ReconcileKey): ReconcileResult {
  const reason = `the cluster has no ${kind.kind} of ${apiVersionOf(kind)}; install its CRD`;
  return { result: 'failed', code: 'KIND_ABSENT', reason, retry: false };
}

function foreign({ kind, key }: ReconcileKey, { metadata }: KubeObject): ReconcileResult {
  const owner = metadata.labels?.[OWNER_LABEL];
  const whose = owner === undefined ? `has no label ${OWNER_LABEL}` : `belongs to ${owner}`;
  const reason = `${kind.kind} ${key.namespace ?? ''}/${key.name} is there already and ${whose}; it is left as it is: rename or delete it`;
  return { result: 'failed', code: 'FOREIGN_OBJECT', reason, retry: false };
}
