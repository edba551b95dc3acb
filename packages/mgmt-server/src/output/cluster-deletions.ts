/** What one cluster is to lose: which of it may go, and which is held until somebody approves it. Knows nothing of the graph. */
import type { PolicyRef } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { compareKeys, type DesiredObject, type Key } from '@meshrelay/relay-core';
import type { ObjectKey } from '@meshrelay/relay-protocol';

/** An object that a cluster has and that is no longer desired. */
export interface DeletionCandidate {
  readonly key: Key;
  readonly object: ObjectKey;
  /** As it was desired last; absent where this process never desired it. */
  readonly desired?: DesiredObject;
  /** The policies it is or was there for, as far as is known. */
  readonly sourcePolicies: readonly PolicyRef[];
}

/** An object of ours that a cluster has. */
interface PresentOutput {
  readonly object: ObjectKey;
  readonly sourcePolicies: string | undefined;
}

/** Losses that wait to be approved. */
export interface HeldDeletionSet {
  /** Stands for exactly these objects. */
  readonly digest: string;
  /** By key. */
  readonly outputs: readonly DeletionCandidate[];
}

/** Nothing is held for losses up to this many objects, or this share of what the cluster has, whichever is more. */
const FEW = 10;
const SHARE = 0.2;

/** The most objects of a cluster with `total` that may go without proof that a user wanted it. */
export function deletionLimit(total: number): number {
  return Math.max(FEW, Math.floor(total * SHARE));
}

export class ClusterDeletions {
  /** Objects desired now. */
  #desired = 0;
  /** Ours that the cluster has, as its agent tells. */
  readonly #present = new Map<Key, PresentOutput>();
  /** Losses found while a cluster was being compared, by that cluster: how much is missing is known at the end. */
  readonly #deferred = new Map<string, Map<Key, DeletionCandidate>>();
  readonly #held = new Map<Key, DeletionCandidate>();
  /** Those held only because nobody can say now what they are there for. */
  readonly #unclear = new Set<Key>();
  /** What may go and is not seen to be gone yet. */
  readonly #going = new Set<Key>();
  readonly #approved = new Set<Key>();
  #deletionSet: HeldDeletionSet | undefined;

  /** What waits, or may not be judged yet: it stays in the cluster. */
  *retained(): Generator<DeletionCandidate> {
    for (const candidates of this.#deferred.values()) yield* candidates.values();
    yield* this.#held.values();
  }

  /** What waits to be approved. */
  get held(): HeldDeletionSet | undefined {
    if (this.#held.size === 0) return undefined;
    this.#deletionSet ??= deletionsOf([...this.#held.values()].sort((a, b) => compareKeys(a.key, b.key)));
    return this.#deletionSet;
  }

  /** Clusters whose comparison losses wait for. */
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

  /** Objects are no longer desired. Say why by one of the next three. */
  unwanted(count: number): void {
    this.#desired -= count;
  }

  /** They may go, for that is proven to be what a user wanted. */
  prove(candidates: readonly DeletionCandidate[]): readonly DeletionCandidate[] {
    for (const { key } of candidates) this.#going.add(key);
    return candidates;
  }

  /** They are judged when the comparison of `source` is over. @returns those that were approved before */
  defer(source: string, candidates: readonly DeletionCandidate[]): readonly DeletionCandidate[] {
    const [approved, others] = this.#split(candidates);
    const waiting = this.#deferred.get(source) ?? new Map<Key, DeletionCandidate>();
    for (const candidate of others) waiting.set(candidate.key, candidate);
    if (waiting.size > 0) this.#deferred.set(source, waiting);
    return this.prove(approved);
  }

  /**
   * All of them may go where they are few, none where they are many.
   * @param isIndeterminate whether nobody can say now what a loss was there for: then even a few stay
   * @returns what may go
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

  /** More can be said than before. @returns what was held only until then and may go */
  reevaluate(isIndeterminate: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const cleared = [...this.#unclear]
      .flatMap((key) => this.#held.get(key) ?? [])
      .filter((candidate) => !isIndeterminate(candidate));
    for (const { key } of cleared) this.#drop(key);
    return this.verify(cleared);
  }

  /** The comparison of `source` is over. @returns what may go */
  compared(source: string, isIndeterminate?: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const candidates = [...(this.#deferred.get(source)?.values() ?? [])];
    this.#deferred.delete(source);
    return this.verify(candidates, isIndeterminate);
  }

  /** Objects that the cluster has of ours and nobody desires, of which this process knows no loss: of before it began. */
  orphans(isDesired: (key: Key) => boolean): DeletionCandidate[] {
    const retained = new Set([...this.retained()].map(({ key }) => key));
    return [...this.#present].flatMap(([key, { object, sourcePolicies }]) =>
      isDesired(key) || retained.has(key) || this.#going.has(key)
        ? []
        : [{ key, object, sourcePolicies: refsOf(sourcePolicies) }],
    );
  }

  /** Takes what is held, or is to be judged, and may go after all. */
  release(mayGo: (candidate: DeletionCandidate) => boolean): readonly DeletionCandidate[] {
    const released = [...this.retained()].filter(mayGo);
    for (const { key } of released) this.#drop(key);
    return this.prove(released);
  }

  /** Somebody approved that these go, now or when it comes to that. @returns what may go now */
  approve(keys: Iterable<Key>): readonly DeletionCandidate[] {
    const approved = new Set(keys);
    for (const key of approved) this.#approved.add(key);
    return this.release(({ key }) => approved.has(key));
  }

  /**
   * The cluster has the object, and it is ours.
   * @param sourcePolicies its note of what it is there for
   */
  came(key: Key, object: ObjectKey, sourcePolicies?: string): void {
    this.#present.set(key, { object, sourcePolicies });
  }

  /** The cluster does not have it any more. @returns it, where it was held or to be judged: now there is nothing to keep */
  went(key: Key): readonly DeletionCandidate[] {
    this.#present.delete(key);
    this.#going.delete(key);
    this.#approved.delete(key);
    const retained =
      this.#held.get(key) ?? [...this.#deferred.values()].find((candidates) => candidates.has(key))?.get(key);
    this.#drop(key);
    return retained === undefined ? [] : [retained];
  }

  /** How many objects of ours the cluster has. */
  get present(): number {
    return this.#present.size;
  }

  /** Whether the cluster has the object, and it is ours. */
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

/** The note is ours, and whoever may change the object may have changed it: what is no list of policies names none. */
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
