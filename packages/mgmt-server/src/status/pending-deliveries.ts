/** Outputs of each policy by cluster, and those that the cluster's agent has not accepted yet. */
import type { PolicyRef } from '@meshrelay/api';
import { type ChangeSet, type Collection, type DesiredObject, type Key, policyKey } from '@meshrelay/relay-core';

/** The outputs of one policy in one cluster. */
export interface Delivery {
  readonly cluster: string;
  /** Number of outputs. */
  readonly total: number;
  /** Number of outputs whose present state the agent has not accepted. */
  readonly pending: number;
}

type Count = { total: number; pending: number };
/** Policies with a change that statuses show. */
type Reported = Set<Key>;

/** Each change of an output costs only its own size: nothing here iterates all outputs of a policy. */
export class PendingDeliveries {
  readonly #desired: Collection<DesiredObject>;
  readonly #counts = new Map<Key, Map<string, Count>>();
  /** By cluster: outputs whose present state was not accepted yet, with their source policies. */
  readonly #pending = new Map<string, Map<Key, readonly PolicyRef[]>>();

  constructor(desired: Collection<DesiredObject>) {
    this.#desired = desired;
    for (const [output, one] of desired.entries()) this.#add(output, one, new Set());
  }

  /** Applies a finished commit. @returns the policies whose deliveries began, ended or changed in kind */
  follow(changes: ChangeSet): Iterable<Key> {
    const reported: Reported = new Set();
    for (const { key: output, before, after } of changes.of(this.#desired)) {
      if (before !== undefined) this.#remove(output, before, reported);
      if (after !== undefined) this.#add(output, after, reported);
    }
    return reported;
  }

  /** The cluster's agent has accepted the present state of these outputs. */
  taken(cluster: string, outputs: Iterable<Key>): Iterable<Key> {
    const reported: Reported = new Set();
    for (const output of outputs) this.#arrived(cluster, output, reported);
    return reported;
  }

  /** No delivery to the cluster is in progress, and its agent has everything except these. */
  settled(cluster: string, but: (output: Key) => boolean): Iterable<Key> {
    const waiting = [...(this.#pending.get(cluster)?.keys() ?? [])];
    return this.taken(
      cluster,
      waiting.filter((output) => !but(output)),
    );
  }

  /**
   * Another replica announces a cluster's agent: it has everything that is desired, except the outputs of these
   * policies and rejected objects.
   */
  convergedOnPeer(cluster: string, waiting: ReadonlySet<Key>, but: (output: Key) => boolean): Iterable<Key> {
    const outputs = [...(this.#pending.get(cluster) ?? [])];
    const arrived = outputs.filter(
      ([output, sourcePolicies]) => !but(output) && !sourcePolicies.some((ref) => waiting.has(policyKey(ref))),
    );
    return this.taken(
      cluster,
      arrived.map(([output]) => output),
    );
  }

  /** Whether a cluster's agent has outputs to accept. */
  isPending(cluster: string): boolean {
    return (this.#pending.get(cluster)?.size ?? 0) > 0;
  }

  /** Outputs that a cluster's agent has not accepted. */
  pendingIn(cluster: string): Iterable<Key> {
    return this.#pending.get(cluster)?.keys() ?? [];
  }

  /** Policies with outputs that a cluster's agent has not accepted. */
  waitingIn(cluster: string): Key[] {
    return [...new Set([...(this.#pending.get(cluster)?.values() ?? [])].flat().map(policyKey))];
  }

  /** Deliveries of a policy, sorted by cluster. */
  of(policy: Key): Delivery[] {
    return [...(this.#counts.get(policy) ?? [])]
      .map(([cluster, count]) => ({ cluster, ...count }))
      .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  }

  /** The policies that have outputs in a cluster. */
  policiesIn(cluster: string): Key[] {
    return [...this.#counts].flatMap(([policy, clusters]) => (clusters.has(cluster) ? policy : []));
  }

  #add(output: Key, { cluster, sourcePolicies }: DesiredObject, reported: Reported): void {
    const pending = this.#pending.get(cluster) ?? new Map<Key, readonly PolicyRef[]>();
    this.#pending.set(cluster, pending);
    pending.set(output, sourcePolicies);
    for (const ref of sourcePolicies) this.#count(policyKey(ref), cluster, { total: 1, pending: 1 }, reported);
  }

  #remove(output: Key, { cluster, sourcePolicies }: DesiredObject, reported: Reported): void {
    const waited = this.#pending.get(cluster)?.delete(output) === true;
    for (const ref of sourcePolicies)
      this.#count(policyKey(ref), cluster, { total: -1, pending: waited ? -1 : 0 }, reported);
  }

  #arrived(cluster: string, output: Key, reported: Reported): void {
    const sourcePolicies = this.#pending.get(cluster)?.get(output);
    if (sourcePolicies === undefined) return;
    this.#pending.get(cluster)?.delete(output);
    for (const ref of sourcePolicies) this.#count(policyKey(ref), cluster, { total: 0, pending: -1 }, reported);
  }

  #count(policy: Key, cluster: string, change: Count, reported: Reported): void {
    const clusters = this.#counts.get(policy) ?? new Map<string, Count>();
    const before = clusters.get(cluster) ?? { total: 0, pending: 0 };
    const after = { total: before.total + change.total, pending: before.pending + change.pending };
    if (after.total > 0) this.#counts.set(policy, clusters.set(cluster, after));
    else if (clusters.delete(cluster) && clusters.size === 0) this.#counts.delete(policy);
    if (before.total > 0 !== after.total > 0 || before.pending > 0 !== after.pending > 0) reported.add(policy);
  }
}
