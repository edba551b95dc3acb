/** Why policies are not applied at their Envoys, as messages for their conditions. */
import { shortList, type XdsWorkloadCount } from '@meshrelay/api';
import {
  type ChangeSet,
  type ControlPlane,
  type Key,
  type PolicyUnanswered,
  policyKey,
  type TimelessCondition,
} from '@meshrelay/relay-core';

/** Maximum number of names in a message. */
const MAX_LISTED = 5;

export class EnvoyProblems {
  readonly #plane: Pick<ControlPlane, 'unanswered'>;
  /** By policy, then by object. */
  readonly #found = new Map<Key, Map<Key, PolicyUnanswered>>();

  constructor(plane: Pick<ControlPlane, 'unanswered'>) {
    this.#plane = plane;
    for (const [at, one] of plane.unanswered.entries()) this.#set(at, one);
  }

  /** Applies a finished commit. @returns policies whose conditions may have changed */
  follow(changes: ChangeSet): Iterable<Key> {
    const policies = new Set<Key>();
    for (const { key: at, before, after } of changes.of(this.#plane.unanswered)) {
      for (const one of [before, after]) if (one !== undefined) policies.add(policyKey(one.policy));
      if (before !== undefined) this.#found.get(policyKey(before.policy))?.delete(at);
      if (after !== undefined) this.#set(at, after);
    }
    for (const policy of policies) if (this.#found.get(policy)?.size === 0) this.#found.delete(policy);
    return policies;
  }

  /**
   * The condition once all clusters have their outputs; undefined if all connected Envoys have it, and none is missing.
   */
  conditionOf(policy: Key): TimelessCondition | undefined {
    const all = [...(this.#found.get(policy)?.values() ?? [])];
    const refusing = all.filter(({ nacked }) => nacked);
    if (refusing.length > 0) return applied('False', 'RejectedByProxy', refusedIn(refusing));
    const pending = all.filter((one) => one.pending);
    if (pending.length > 0) return applied('False', 'ProxiesPending', pendingIn(pending));
    const without = all.filter(({ disconnected }) => disconnected.length > 0);
    return without.length === 0 ? undefined : applied('Unknown', 'ProxiesDisconnected', disconnectedIn(without));
  }

  #set(at: Key, one: PolicyUnanswered): void {
    const policy = policyKey(one.policy);
    const found = this.#found.get(policy) ?? new Map<Key, PolicyUnanswered>();
    this.#found.set(policy, found.set(at, one));
  }
}

function applied(status: TimelessCondition['status'], reason: string, message: string): TimelessCondition {
  return { type: 'Applied', status, reason, message };
}

function refusedIn(all: readonly PolicyUnanswered[]): string {
  return `Envoys in ${clustersOf(all)} reject it and keep their previous configuration; see the reports`;
}

function pendingIn(all: readonly PolicyUnanswered[]): string {
  const waiting = workloadsOf(all, ({ waiting: workloads }) => workloads);
  const silent = [...new Set(all.flatMap((one) => one.silentReplicas.map((name) => `${one.cluster}/${name}`)))].sort();
  return [
    `Envoys in ${clustersOf(all)} have not acknowledged it yet`,
    ...(waiting === '' ? [] : [`waiting for those of ${waiting}`]),
    ...(silent.length === 0
      ? []
      : [`replicas of the agent that do not report their Envoys: ${shortList(silent, MAX_LISTED)}`]),
  ].join('; ');
}

function disconnectedIn(all: readonly PolicyUnanswered[]): string {
  const workloads = workloadsOf(all, ({ disconnected }) => disconnected);
  return `pods whose Envoy is not connected to the agent may not have it: ${workloads}; check that their Envoys run, and see the log of the agent for rejected tokens`;
}

function clustersOf(all: readonly PolicyUnanswered[]): string {
  return shortList([...new Set(all.map(({ cluster }) => cluster))].sort(), MAX_LISTED);
}

function workloadsOf(
  all: readonly PolicyUnanswered[],
  of: (one: PolicyUnanswered) => readonly XdsWorkloadCount[],
): string {
  const names = all.flatMap((one) =>
    of(one).map(({ namespace, name, count }) => `${one.cluster}/${namespace}/${name} (${count})`),
  );
  return shortList([...new Set(names)].sort(), MAX_LISTED);
}
