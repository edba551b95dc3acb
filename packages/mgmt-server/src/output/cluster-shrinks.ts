/** What one cluster is to lose: which of it may go, and which is held until somebody approves it. Knows nothing of the graph. */
import type { PolicyRef } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { compareKeys, type DesiredObject, type Key } from '@meshrelay/relay-core';
import type { ObjectKey } from '@meshrelay/relay-protocol';

/** An object that a cluster has and that is no longer desired. */
export interface LostOutput {
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
export interface HeldShrink {
  /** Stands for exactly these objects. */
  readonly digest: string;
  /** By key. */
  readonly outputs: readonly LostOutput[];
}

/** Nothing is held for losses up to this many objects, or this share of what the cluster has, whichever is more. */
const FEW = 10;
const SHARE = 0.2;

/** The most objects of a cluster with `total` that may go without proof that a user wanted it. */
export function shrinkLimit(total: number): number {
  return Math.max(FEW, Math.floor(total * SHARE));
}

export class ClusterShrinks {
  /** Objects desired now. */
  #desired = 0;
  /** Ours that the cluster has, as its agent tells. */
  readonly #present = new Map<Key, PresentOutput>();
  /** Losses found while a cluster was being compared, by that cluster: how much is missing is known at the end. */
  readonly #deferred = new Map<string, Map<Key, LostOutput>>();
  readonly #held = new Map<Key, LostOutput>();
  /** Those held only because nobody can say now what they are there for. */
  readonly #unclear = new Set<Key>();
  /** What may go and is not seen to be gone yet. */
  readonly #going = new Set<Key>();
  readonly #approved = new Set<Key>();
  #shrink: HeldShrink | undefined;

  /** What waits, or may not be judged yet: it stays in the cluster. */
  *kept(): Generator<LostOutput> {
    for (const losses of this.#deferred.values()) yield* losses.values();
    yield* this.#held.values();
  }

  /** What waits to be approved. */
  get held(): HeldShrink | undefined {
    if (this.#held.size === 0) return undefined;
    this.#shrink ??= shrinkOf([...this.#held.values()].sort((a, b) => compareKeys(a.key, b.key)));
    return this.#shrink;
  }

  /** Clusters whose comparison losses wait for. */
  get comparisons(): Iterable<string> {
    return this.#deferred.keys();
  }

  /** The object is desired (again). */
  wanted(key: Key, isNew: boolean): void {
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
  prove(losses: readonly LostOutput[]): readonly LostOutput[] {
    for (const { key } of losses) this.#going.add(key);
    return losses;
  }

  /** They are judged when the comparison of `source` is over. @returns those that were approved before */
  defer(source: string, losses: readonly LostOutput[]): readonly LostOutput[] {
    const [approved, others] = this.#split(losses);
    const waiting = this.#deferred.get(source) ?? new Map<Key, LostOutput>();
    for (const loss of others) waiting.set(loss.key, loss);
    if (waiting.size > 0) this.#deferred.set(source, waiting);
    return this.prove(approved);
  }

  /**
   * All of them may go where they are few, none where they are many.
   * @param isUnclear whether nobody can say now what a loss was there for: then even a few stay
   * @returns what may go
   */
  judge(losses: readonly LostOutput[], isUnclear: (loss: LostOutput) => boolean = () => false): readonly LostOutput[] {
    const [approved, others] = this.#split(losses);
    const total = this.#desired + others.length + this.#held.size;
    const many = others.length > shrinkLimit(total);
    const held = many ? others : others.filter(isUnclear);
    if (held.length === 0) return this.prove(losses);
    for (const loss of held) {
      this.#held.set(loss.key, loss);
      if (!many) this.#unclear.add(loss.key);
    }
    this.#shrink = undefined;
    return this.prove(many ? approved : [...approved, ...others.filter((loss) => !this.#held.has(loss.key))]);
  }

  /** More can be said than before. @returns what was held only until then and may go */
  judgeAgain(isUnclear: (loss: LostOutput) => boolean): readonly LostOutput[] {
    const cleared = [...this.#unclear].flatMap((key) => this.#held.get(key) ?? []).filter((loss) => !isUnclear(loss));
    for (const { key } of cleared) this.#drop(key);
    return this.judge(cleared);
  }

  /** The comparison of `source` is over. @returns what may go */
  compared(source: string, isUnclear?: (loss: LostOutput) => boolean): readonly LostOutput[] {
    const losses = [...(this.#deferred.get(source)?.values() ?? [])];
    this.#deferred.delete(source);
    return this.judge(losses, isUnclear);
  }

  /** Objects that the cluster has of ours and nobody desires, of which this process knows no loss: of before it began. */
  orphans(isDesired: (key: Key) => boolean): LostOutput[] {
    const kept = new Set([...this.kept()].map(({ key }) => key));
    return [...this.#present].flatMap(([key, { object, sourcePolicies }]) =>
      isDesired(key) || kept.has(key) || this.#going.has(key)
        ? []
        : [{ key, object, sourcePolicies: refsOf(sourcePolicies) }],
    );
  }

  /** Takes what is held, or is to be judged, and may go after all. */
  release(mayGo: (loss: LostOutput) => boolean): readonly LostOutput[] {
    const released = [...this.kept()].filter(mayGo);
    for (const { key } of released) this.#drop(key);
    return this.prove(released);
  }

  /** Somebody approved that these go, now or when it comes to that. @returns what may go now */
  approve(keys: Iterable<Key>): readonly LostOutput[] {
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
  went(key: Key): readonly LostOutput[] {
    this.#present.delete(key);
    this.#going.delete(key);
    this.#approved.delete(key);
    const kept = this.#held.get(key) ?? [...this.#deferred.values()].find((losses) => losses.has(key))?.get(key);
    this.#drop(key);
    return kept === undefined ? [] : [kept];
  }

  /** How many objects of ours the cluster has. */
  get present(): number {
    return this.#present.size;
  }

  /** Whether the cluster has the object, and it is ours. */
  has(key: Key): boolean {
    return this.#present.has(key);
  }

  #split(losses: readonly LostOutput[]): [approved: LostOutput[], others: LostOutput[]] {
    const approved = losses.filter(({ key }) => this.#approved.has(key));
    return [approved, losses.filter(({ key }) => !this.#approved.has(key))];
  }

  #drop(key: Key): void {
    if (this.#held.delete(key)) this.#shrink = undefined;
    this.#unclear.delete(key);
    for (const [source, losses] of this.#deferred) {
      losses.delete(key);
      if (losses.size === 0) this.#deferred.delete(source);
    }
  }
}

function shrinkOf(outputs: readonly LostOutput[]): HeldShrink {
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
