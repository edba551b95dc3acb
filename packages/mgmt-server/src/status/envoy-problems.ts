/** The `Applied` condition of policies that some Envoys have rejected, have not acknowledged or may not have. */
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
  /** By policy, then by the key in `unanswered`. */
  readonly #byPolicy = new Map<Key, Map<Key, PolicyUnanswered>>();

  constructor(plane: Pick<ControlPlane, 'unanswered'>) {
    this.#plane = plane;
    for (const [at, one] of plane.unanswered.entries()) this.#set(at, one);
  }

  /** Applies a finished commit. @returns policies whose conditions may have changed */
  follow(changes: ChangeSet): Iterable<Key> {
    const policies = new Set<Key>();
    for (const { key: at, before, after } of changes.of(this.#plane.unanswered)) {
      for (const one of [before, after]) if (one !== undefined) policies.add(policyKey(one.policy));
      if (before !== undefined) this.#byPolicy.get(policyKey(before.policy))?.delete(at);
      if (after !== undefined) this.#set(at, after);
    }
    for (const policy of policies) if (this.#byPolicy.get(policy)?.size === 0) this.#byPolicy.delete(policy);
    return policies;
  }

  /**
   * The condition of a policy whose outputs all clusters have applied; undefined if every selected Envoy is connected
   * and has acknowledged the policy.
   */
  conditionOf(policy: Key): TimelessCondition | undefined {
    const all = [...(this.#byPolicy.get(policy)?.values() ?? [])];
    const rejecting = all.filter(({ nacked }) => nacked);
    if (rejecting.length > 0) return applied('False', 'RejectedByProxy', rejectedMessage(rejecting));
    const pending = all.filter((one) => one.pending);
    if (pending.length > 0) return applied('False', 'ProxiesPending', pendingMessage(pending));
    const withDisconnected = all.filter(({ disconnected }) => disconnected.length > 0);
    return withDisconnected.length === 0
      ? undefined
      : applied('Unknown', 'ProxiesDisconnected', disconnectedMessage(withDisconnected));
  }

  #set(at: Key, one: PolicyUnanswered): void {
    const policy = policyKey(one.policy);
    const unanswered = this.#byPolicy.get(policy) ?? new Map<Key, PolicyUnanswered>();
    this.#byPolicy.set(policy, unanswered.set(at, one));
  }
}

function applied(status: TimelessCondition['status'], reason: string, message: string): TimelessCondition {
  return { type: 'Applied', status, reason, message };
}

function rejectedMessage(all: readonly PolicyUnanswered[]): string {
  return `Envoys in ${clustersOf(all)} reject this policy and keep their previous configuration; see the reports`;
}

function pendingMessage(all: readonly PolicyUnanswered[]): string {
  const waiting = workloadsOf(all, ({ waiting: workloads }) => workloads);
  const silent = [...new Set(all.flatMap((one) => one.silentReplicas.map((name) => `${one.cluster}/${name}`)))].sort();
  return [
    `Envoys in ${clustersOf(all)} have not acknowledged this policy yet`,
    ...(waiting === '' ? [] : [`waiting for those of ${waiting}`]),
    ...(silent.length === 0
      ? []
      : [`replicas of the agent that do not report their Envoys: ${shortList(silent, MAX_LISTED)}`]),
  ].join('; ');
}

function disconnectedMessage(all: readonly PolicyUnanswered[]): string {
  const workloads = workloadsOf(all, ({ disconnected }) => disconnected);
  return `pods whose Envoy is not connected to the agent may not have this policy: ${workloads}; check that their Envoys run, and see the log of the agent for rejected tokens`;
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
