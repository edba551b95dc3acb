/** Objects that agents rejected or failed to apply, by source policy: a rejection by a mesh belongs on the policy. */
import { MAX_STATUS_REPORTS, type Report } from '@meshrelay/api';
import {
  type ChangeSet,
  type ComputedStatus,
  type ControlPlane,
  desiredKey,
  type EvaluatedPolicy,
  type Key,
  policyKey,
} from '@meshrelay/relay-core';
import type { ObjectRejection } from '@meshrelay/relay-protocol';
import type { Connections } from '../relay/connections.ts';

type ByPolicy = ReadonlyMap<Key, readonly Report[]>;

/** Differences found by one check of a cluster, as keys of statuses and of desired objects. */
export interface RejectionChanges {
  readonly policies: readonly Key[];
  readonly outputs: readonly Key[];
}

export class PolicyRejections {
  readonly #controlPlane: ControlPlane;
  readonly #connections: Connections;
  readonly #reports = new Map<string, ByPolicy>();
  readonly #objects = new Map<string, ReadonlyMap<Key, ObjectRejection>>();

  constructor(controlPlane: ControlPlane, connections: Connections) {
    this.#controlPlane = controlPlane;
    this.#connections = connections;
  }

  /** The agent's rejection of a desired object, if any. */
  ofOutput(cluster: string, output: Key): ObjectRejection | undefined {
    return this.#objects.get(cluster)?.get(output);
  }

  /** Rejections of a policy's outputs, in the order in which clusters began to reject. */
  of(policy: Key): readonly Report[] {
    return [...this.#reports.values()].flatMap((byPolicy) => byPolicy.get(policy) ?? []);
  }

  /**
   * A policy's status. A rejected output makes it failed in that cluster, whatever the translation reported. Not
   * truncated yet.
   */
  statusOf({ ref, status }: EvaluatedPolicy): ComputedStatus {
    const reports = this.of(policyKey(ref));
    if (reports.length === 0) return status;
    return { ...status, state: 'FAILED', reports: [...reports, ...status.reports].slice(0, MAX_STATUS_REPORTS) };
  }

  /** Checks clusters with rejections whose desired objects have changed. */
  follow(changes: ChangeSet): RejectionChanges {
    const desired = changes.of(this.#controlPlane.desired);
    const clusters = new Set(desired.flatMap(({ before, after }) => (after ?? before)?.cluster ?? []));
    const all = [...clusters].filter((cluster) => this.#objects.has(cluster)).map((cluster) => this.update(cluster));
    return {
      policies: [...new Set(all.flatMap(({ policies }) => policies))],
      outputs: [...new Set(all.flatMap(({ outputs }) => outputs))],
    };
  }

  /** Checks a cluster whose rejections have changed. */
  update(cluster: string): RejectionChanges {
    const before = { objects: this.#objects.get(cluster), reports: this.#reports.get(cluster) };
    const objects = new Map<Key, ObjectRejection>();
    const reports = new Map<Key, Report[]>();
    for (const rejection of this.#connections.of(cluster).refused.values()) {
      const { key: object } = rejection;
      const id = desiredKey(cluster, object, object.namespace, object.name);
      objects.set(id, rejection);
      for (const policy of this.#controlPlane.desired.get(id)?.sourcePolicies ?? []) {
        const list = reports.get(policyKey(policy)) ?? [];
        reports.set(policyKey(policy), list);
        list.push(reportOf(cluster, rejection));
      }
    }
    replace(this.#objects, cluster, objects);
    replace(this.#reports, cluster, reports);
    return { policies: differing(before.reports, reports), outputs: differing(before.objects, objects) };
  }
}

function reportOf(cluster: string, { key: { kind, namespace, name }, code, reason }: ObjectRejection): Report {
  return {
    code,
    severity: 'error',
    message: `${kind} ${namespace}/${name} could not be applied in cluster ${cluster}: ${reason}`,
    related: [{ kind, namespace, name, cluster }],
  };
}

function replace<V>(map: Map<string, ReadonlyMap<Key, V>>, cluster: string, value: ReadonlyMap<Key, V>): void {
  if (value.size === 0) map.delete(cluster);
  else map.set(cluster, value);
}

/** The keys whose values differ between two maps. */
function differing<V>(before: ReadonlyMap<Key, V> = new Map(), after: ReadonlyMap<Key, V>): Key[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)),
  );
}
