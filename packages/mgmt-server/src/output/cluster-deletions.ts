/**
 * Deletions in one cluster: which may proceed, and which are held until a user approves them. Independent of the graph.
 */
import type { PolicyRef } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { compareKeys, type DesiredObject, type Key } from '@meshrelay/relay-core';
import type { ObjectKey } from '@meshrelay/relay-protocol';

/** An object that a cluster has and that is no longer desired. */
export interface DeletionCandidate {
  readonly key: Key;
  readonly object: ObjectKey;
  /** Its last desired state; absent if this process never desired it. */
  readonly desired?: DesiredObject;
  /** Its source policies, as far as known. */
  readonly sourcePolicies: readonly PolicyRef[];
}

/** A generated object in a cluster. */
interface PresentOutput {
  readonly object: ObjectKey;
  readonly sourcePolicies: string | undefined;
}

/** Deletions that wait for approval. */
export interface HeldDeletionSet {
  /** Digest of exactly these objects. */
  readonly digest: string;
  /** By key. */
  readonly outputs: readonly DeletionCandidate[];
}

/** Deletions up to this number of objects, or this share of the cluster's objects, whichever is more, are not held. */
const FEW = 10;
const SHARE = 0.2;

/** Maximum number of deletions in a cluster with `total` objects that need no proof of the user's intent. */
export function deletionLimit(total: number): number {
  return Math.max(FEW, Math.floor(total * SHARE));
}

export class ClusterDeletions {
  #desired = 0;
  /** Generated objects that the cluster has, as its agent reports. */
  readonly #present = new Map<Key, PresentOutput>();
  /** Deletion candidates found during the comparison of a cluster, by that cluster. The total is known at its end. */
  readonly #deferred = new Map<string, Map<Key, DeletionCandidate>>();
  readonly #held = new Map<Key, DeletionCandidate>();
  /** Held only because their source is indeterminate now. */
  readonly #unclear = new Set<Key>();
  /** Released deletions that the cluster has not confirmed yet. */
  readonly #going = new Set<Key>();
  readonly #approved = new Set<Key>();
  #deletionSet: HeldDeletionSet | undefined;

  /** Candidates that are held or not yet evaluated; they stay in the cluster. */
  *retained(): Generator<DeletionCandidate> {
    for (const candidates of this.#deferred.values()) yield* candidates.values();
    yield* this.#held.values();
  }

  /** Deletions that wait for approval. */
  get held(): HeldDeletionSet | undefined {
    if (this.#held.size === 0) return undefined;
    this.#deletionSet ??= deletionsOf([...this.#held.values()].sort((a, b) => compareKeys(a.key, b.key)));
    return this.#deletionSet;
  }

  /** Clusters whose comparison the candidates wait for. */
  get comparisons(): Iterable<string> {
    return this.#deferred.keys();
  }

  /** The object is desired (again). */
  desired(key: Key, isNew: boolean): void {
    if (isNew) this.#desired++;
    this.#going.delete(key);
    this.#approved.delete(key);
    this.#drop(key);
  }

  /** Objects are no longer desired. The caller gives the reason with one of the next three methods. */
  unwanted(count: number): void {
    this.#desired -= count;
  }

  /** They may be deleted: the user's intent is proven. */
  prove(candidates: readonly DeletionCandidate[]): readonly DeletionCandidate[] {
    for (const { key } of candidates) this.#going.add(key);
    return candidates;
  }

  /** They are evaluated when the comparison of `source` has ended. @returns those approved before */
  defer(source: string, candidates: readonly DeletionCandidate[]): readonly DeletionCandidate[] {
    const [approved, others] = this.#split(candidates);
    const waiting = this.#deferred.get(source) ?? new Map<Key, DeletionCandidate>();
    for (const candidate of others) waiting.set(candidate.key, candidate);
    if (waiting.size > 0) this.#deferred.set(source, waiting);
    return this.prove(approved);
  }

  /**
   * All of them may be deleted if they are few, none if they are many.
   * @param isIndeterminate whether a candidate's source is indeterminate now: then even a few stay
   * @returns the released candidates
   */
  verify(
    candidates: readonly DeletionCandidate[],
    isIndeterminate: (candidate: DeletionCandidate) => boolean = () => false,
  ): readonly DeletionCandidate[] {
    const [approved, others] = this.#split(candidates);
    const total = this.#desired + others.length + this.#held.size;
    const many = others.length > deletionLimit(total);
    const held = many ? others : others.filter(isIndeterminate);
    if (held.length === 0) return this.prove(candidates);
    for (const candidate of held) {
      this.#held.set(candidate.key, candidate);
      if (!many) this.#unclear.add(candidate.key);
    }
    this.#deletionSet = undefined;
    return this.prove(many ? approved : [...approved, ...others.filter((candidate) => !this.#held.has(candidate.key))]);
  }

  /** More is synced than before. @returns candidates that were held only for that and may be deleted */
  reevaluate(isIndeterminate: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const cleared = [...this.#unclear]
      .flatMap((key) => this.#held.get(key) ?? [])
      .filter((candidate) => !isIndeterminate(candidate));
    for (const { key } of cleared) this.#drop(key);
    return this.verify(cleared);
  }

  /** The comparison of `source` has ended. @returns the released candidates */
  compared(source: string, isIndeterminate?: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const candidates = [...(this.#deferred.get(source)?.values() ?? [])];
    this.#deferred.delete(source);
    return this.verify(candidates, isIndeterminate);
  }

  /**
   * Generated objects of the cluster that are not desired, and that this process has no candidate for: from before its
   * start.
   */
  orphans(isDesired: (key: Key) => boolean): DeletionCandidate[] {
    const retained = new Set([...this.retained()].map(({ key }) => key));
    return [...this.#present].flatMap(([key, { object, sourcePolicies }]) =>
      isDesired(key) || retained.has(key) || this.#going.has(key)
        ? []
        : [{ key, object, sourcePolicies: refsOf(sourcePolicies) }],
    );
  }

  /** Removes and returns held or pending candidates that may be deleted after all. */
  release(mayGo: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const released = [...this.retained()].filter(mayGo);
    for (const { key } of released) this.#drop(key);
    return this.prove(released);
  }

  /** A user approved these deletions, present or future. @returns those that may proceed now */
  approve(keys: Iterable<Key>): readonly DeletionCandidate[] {
    const approved = new Set(keys);
    for (const key of approved) this.#approved.add(key);
    return this.release(({ key }) => approved.has(key));
  }

  /**
   * The cluster has the object, and it is generated.
   * @param sourcePolicies its annotation of source policies
   */
  came(key: Key, object: ObjectKey, sourcePolicies?: string): void {
    this.#present.set(key, { object, sourcePolicies });
  }

  /** The cluster no longer has the object. @returns it, if it was held or pending: there is nothing left to keep */
  went(key: Key): readonly DeletionCandidate[] {
    this.#present.delete(key);
    this.#going.delete(key);
    this.#approved.delete(key);
    const retained =
      this.#held.get(key) ?? [...this.#deferred.values()].find((candidates) => candidates.has(key))?.get(key);
    this.#drop(key);
    return retained === undefined ? [] : [retained];
  }

  /** Number of generated objects in the cluster. */
  get present(): number {
    return this.#present.size;
  }

  /** Whether the cluster has the object, and it is generated. */
  has(key: Key): boolean {
    return this.#present.has(key);
  }

  #split(candidates: readonly DeletionCandidate[]): [approved: DeletionCandidate[], others: DeletionCandidate[]] {
    const approved = candidates.filter(({ key }) => this.#approved.has(key));
    return [approved, candidates.filter(({ key }) => !this.#approved.has(key))];
  }

  #drop(key: Key): void {
    if (this.#held.delete(key)) this.#deletionSet = undefined;
    this.#unclear.delete(key);
    for (const [source, candidates] of this.#deferred) {
      candidates.delete(key);
      if (candidates.size === 0) this.#deferred.delete(source);
    }
  }
}

function deletionsOf(outputs: readonly DeletionCandidate[]): HeldDeletionSet {
  return { digest: sha256(outputs.map(({ key }) => key).join('\n')), outputs };
}

/**
 * The server wrote the annotation, but any client that may change the object may have edited it. Invalid text names no
 * policies.
 */
function refsOf(sourcePolicies: string | undefined): PolicyRef[] {
  if (sourcePolicies === undefined) return [];
  try {
    const refs: unknown = JSON.parse(sourcePolicies);
    return Array.isArray(refs) ? refs.filter(isRef) : [];
  } catch {
    return [];
  }
}

function isRef(value: unknown): value is PolicyRef {
  const { kind, cluster, namespace, name } = (value ?? {}) as Record<string, unknown>;
  return [kind, cluster, namespace, name].every((part) => typeof part === 'string');
}
