/** Virtual addresses that are not assigned yet, and the policies that wait for them. Usually the list is empty. */
import { type ChangeSet, type ControlPlane, type Key, policyKey } from '@meshrelay/relay-core';

/** The host without an address, and its policies. */
interface Awaited {
  readonly destinations: readonly Key[];
  readonly policies: ReadonlySet<Key>;
}

export class PendingAddresses {
  readonly #plane: Pick<ControlPlane, 'pendingDecisions' | 'resolved'>;
  readonly #awaited = new Map<Key, Awaited>();
  /** By destination: its host, if that has no address. */
  readonly #hosts = new Map<Key, Key>();
  /** Number of addresses that each policy waits for. */
  readonly #counts = new Map<Key, number>();

  constructor(plane: Pick<ControlPlane, 'pendingDecisions' | 'resolved'>) {
    this.#plane = plane;
    for (const [host] of plane.pendingDecisions.hosts.entries()) this.#check(host, new Set());
  }

  /** Whether a policy gets more outputs once addresses are assigned. */
  isAwaitedBy(policy: Key): boolean {
    return this.#counts.has(policy);
  }

  /** Applies a finished commit. @returns policies that may have started or stopped waiting */
  follow(changes: ChangeSet): Iterable<Key> {
    const { pendingDecisions, resolved } = this.#plane;
    const hosts = new Set(changes.of(pendingDecisions.hosts).map(({ key: host }) => host));
    if (this.#awaited.size > 0) {
      for (const { key: host } of changes.of(pendingDecisions.exports)) if (this.#awaited.has(host)) hosts.add(host);
      const { trafficPolicies, accessPolicies } = resolved.policies;
      for (const { key: destination } of [...changes.of(trafficPolicies), ...changes.of(accessPolicies)]) {
        const host = this.#hosts.get(destination);
        if (host !== undefined) hosts.add(host);
      }
    }
    const reported = new Set<Key>();
    for (const host of hosts) this.#check(host, reported);
    return reported;
  }

  #check(host: Key, reported: Set<Key>): void {
    const before = this.#awaited.get(host);
    for (const destination of before?.destinations ?? []) this.#hosts.delete(destination);
    for (const policy of before?.policies ?? []) this.#count(policy, -1, reported);
    const after = this.#plane.pendingDecisions.hosts.has(host) ? this.#awaitedBy(host) : undefined;
    if (after === undefined) this.#awaited.delete(host);
    else this.#awaited.set(host, after);
    for (const destination of after?.destinations ?? []) this.#hosts.set(destination, host);
    for (const policy of after?.policies ?? []) this.#count(policy, 1, reported);
  }

  #awaitedBy(host: Key): Awaited {
    const { pendingDecisions, resolved } = this.#plane;
    const { trafficPolicies, accessPolicies } = resolved.policies;
    const exported = pendingDecisions.exports.get(host) ?? [];
    const refs = exported.flatMap(({ ref, destination }) => {
      const acting = [...(trafficPolicies.get(destination) ?? []), ...(accessPolicies.get(destination) ?? [])];
      return [ref, ...acting.map((policy) => policy.ref)];
    });
    return { destinations: exported.map(({ destination }) => destination), policies: new Set(refs.map(policyKey)) };
  }

  #count(policy: Key, by: 1 | -1, reported: Set<Key>): void {
    const before = this.#counts.get(policy) ?? 0;
    const after = before + by;
    if (after === 0) this.#counts.delete(policy);
    else this.#counts.set(policy, after);
    if (before === 0 || after === 0) reported.add(policy);
  }
}
