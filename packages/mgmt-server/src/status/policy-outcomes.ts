/**
 * Statuses of policies with the delivery of their outputs: whether every cluster has them, and since when that
 * information is stale.
 */
import { type PolicyStatus, shortList } from '@meshrelay/api';
import {
  type ChangeSet,
  type ComputedStatus,
  desiredKey,
  type EvaluatedPolicy,
  type Key,
  policyKey,
  type TimelessCondition,
  truncated,
} from '@meshrelay/relay-core';
import { compareVectors, type InputVector, type ObjectKey } from '@meshrelay/relay-protocol';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { SafeMode } from '../output/safe-mode.ts';
import type { Connections, Unheard } from '../relay/connections.ts';
import type { KnownInputs } from '../replicas/cluster-announcement.ts';
import type { Fleet } from '../store/fleet.ts';
import { EnvoyProblems } from './envoy-problems.ts';
import { type NotSent, notSentTo } from './not-sent.ts';
import { PendingAddresses } from './pending-addresses.ts';
import { type Delivery, PendingDeliveries } from './pending-deliveries.ts';
import type { PolicyRejections } from './policy-rejections.ts';

export interface PolicyOutcomesOptions {
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly outputs: Pick<ClusterOutputs, 'begun' | 'hashOf'>;
  readonly rejections: PolicyRejections;
  /** The inputs that the present desired state was computed from. */
  readonly vector: () => InputVector;
  /** Present content digests of the management cluster's kinds, by component of the vector. */
  readonly digests: () => ReadonlyMap<string, string>;
  readonly safeMode: () => SafeMode;
}

/** An object as sent, or its deletion. */
export type EncodedOutput = ObjectKey & { readonly hash?: string };

/** Delivery state of a cluster, as conditions distinguish it. */
type DeliveryState = 'CONNECTED' | 'AWAY' | 'UNHEARD' | NotSent['reason'];

/** Conditions that are evaluated here, rather than from inputs alone. */
const CONDITIONS: ReadonlySet<string> = new Set(['Applied', 'Stale']);

export class PolicyOutcomes {
  readonly #options: PolicyOutcomesOptions;
  readonly #deliveries: PendingDeliveries;
  readonly #addresses: PendingAddresses;
  readonly #envoys: EnvoyProblems;
  readonly #deliveryStates = new Map<string, DeliveryState>();
  /** Clusters whose agents have accepted everything once since this server started: before, their state is unknown. */
  readonly #peerAnnouncements = new Set<string>();
  /** The inputs of the last change of a cluster's desired state. */
  readonly #changedBy = new Map<string, InputVector>();
  #withLongTimeout = true;
  #ending = false;

  constructor(options: PolicyOutcomesOptions) {
    this.#options = options;
    this.#deliveries = new PendingDeliveries(options.fleet.controlPlane.desired);
    this.#addresses = new PendingAddresses(options.fleet.controlPlane);
    this.#envoys = new EnvoyProblems(options.fleet.controlPlane);
  }

  /**
   * A policy's status, for the API server and the HTTP API.
   * @param before its present status, whose conditions about outputs stay until the delivery is known
   */
  statusOf(evaluated: EvaluatedPolicy, before?: PolicyStatus): ComputedStatus {
    const status = this.#options.rejections.statusOf(evaluated);
    const policy = policyKey(evaluated.ref);
    const isUnsure = this.#options.outputs.begun && this.isUnsure(policy);
    const conditions = isUnsure ? lastWord(status, before) : this.#conditionsOf(policy);
    return truncated(
      conditions.length === 0 ? status : { ...status, conditions: [...status.conditions, ...conditions] },
    );
  }

  /** Whether the agents' state of a policy's outputs is still unknown, as soon after the server's start. */
  isUnsure(policy: Key): boolean {
    return (
      this.#withLongTimeout && this.#deliveries.of(policy).some(({ cluster }) => !this.#peerAnnouncements.has(cluster))
    );
  }

  /**
   * Clusters that have not connected by now count as disconnected. @returns policies whose conditions may have changed
   */
  waitNoLonger(): Key[] {
    const unsure = [...this.#options.fleet.controlPlane.statuses.entries()]
      .map(([policy]) => policy)
      .filter((policy) => this.isUnsure(policy));
    this.#withLongTimeout = false;
    return unsure;
  }

  /** The server stops: streams that end with it say nothing about the clusters. */
  end(): void {
    this.#ending = true;
  }

  /** Applies a finished commit. @returns policies whose conditions may have changed */
  follow(changes: ChangeSet): Key[] {
    const clusters = changes.of(this.#options.fleet.fleetState.clusters).flatMap(({ after }) => after?.name ?? []);
    const { controlPlane } = this.#options.fleet;
    // The fleet may have been paused or resumed.
    if (changes.of(this.#options.fleet.fleetState.settings).length > 0) clusters.push(...this.#deliveryStates.keys());
    const desired = changes.of(controlPlane.desired);
    if (desired.length > 0) {
      const vector = this.#options.vector();
      for (const { before, after } of desired) {
        const cluster = (after ?? before)?.cluster;
        if (cluster !== undefined) this.#changedBy.set(cluster, vector);
      }
    }
    return [
      ...this.#deliveries.follow(changes),
      ...this.#addresses.follow(changes),
      ...this.#envoys.follow(changes),
      ...clusters.flatMap((cluster) => this.connected(cluster)),
    ];
  }

  /** A cluster's connection may have changed. */
  connected(cluster: string): Key[] {
    if (this.#ending) return [];
    const deliveryState = this.#deliveryState(cluster);
    if (this.#deliveryStates.get(cluster) === deliveryState) return [];
    this.#deliveryStates.set(cluster, deliveryState);
    return this.#deliveries.policiesIn(cluster);
  }

  /** A cluster's agent has accepted these objects. An object that has changed since is still pending. */
  taken(cluster: string, objects: readonly EncodedOutput[]): Key[] {
    const { outputs } = this.#options;
    const current = objects.filter(
      ({ hash, ...object }) => hash !== undefined && outputs.hashOf(cluster, object) === hash,
    );
    return [
      ...this.#deliveries.taken(
        cluster,
        current.map((object) => outputKey(cluster, object)),
      ),
    ];
  }

  /** A cluster's agent has accepted everything, except what it rejected. */
  settled(cluster: string): Key[] {
    const { rejections } = this.#options;
    const reported = [
      ...this.#deliveries.settled(cluster, (output) => rejections.ofOutput(cluster, output) !== undefined),
    ];
    if (this.#peerAnnouncements.has(cluster)) return reported;
    this.#peerAnnouncements.add(cluster);
    return [...new Set([...reported, ...this.#deliveries.policiesIn(cluster)])];
  }

  /** Policies with outputs that a cluster's agent has not accepted; undefined until it has accepted everything once. */
  waitingIn(cluster: string): Key[] | undefined {
    return this.#peerAnnouncements.has(cluster) ? this.#deliveries.waitingIn(cluster) : undefined;
  }

  /** Number of objects that agents connected here have not accepted; rejected objects do not count. */
  underWay(): number {
    const { fleet, connections, rejections } = this.#options;
    let count = 0;
    for (const [, { name }] of fleet.fleetState.clusters.entries()) {
      // Outputs held in safe mode are sent automatically once it ends.
      if (!connections.isHere(name) || !['CONNECTED', 'SafeMode'].includes(this.#deliveryState(name))) continue;
      for (const output of this.#deliveries.pendingIn(name))
        if (rejections.ofOutput(name, output) === undefined) count++;
    }
    return count;
  }

  /**
   * A cluster's agent, connected to another replica, has everything computed from these inputs except the outputs of
   * these policies. That does not count while the desired state here was computed from newer inputs.
   */
  convergedOnPeer(cluster: string, inputs: KnownInputs, waiting: readonly Key[]): Key[] {
    if (this.#peerAnnouncements.has(cluster) && !this.#deliveries.isPending(cluster)) return [];
    const changedBy = this.#changedBy.get(cluster);
    if (changedBy !== undefined && !this.#isCoveredBy(inputs, changedBy)) return [];
    const { rejections } = this.#options;
    const isRefused = (output: Key): boolean => rejections.ofOutput(cluster, output) !== undefined;
    const reported = [...this.#deliveries.convergedOnPeer(cluster, new Set(waiting), isRefused)];
    if (this.#peerAnnouncements.has(cluster)) return reported;
    this.#peerAnnouncements.add(cluster);
    return [...new Set([...reported, ...this.#deliveries.policiesIn(cluster)])];
  }

  /** If both replicas have the same digest of a kind, it is not older there, whenever each of them first listed it. */
  #isCoveredBy({ vector, digests }: KnownInputs, changedBy: InputVector): boolean {
    const own = this.#options.digests();
    const differing = [...changedBy].filter(([name]) => {
      const digest = own.get(name);
      return digest === undefined || digests.get(name) !== digest;
    });
    const { order } = compareVectors(vector, new Map(differing));
    return order === 'equal' || order === 'newer';
  }

  /** Empty if no cluster has, or should have, any output of the policy. */
  #conditionsOf(policy: Key): TimelessCondition[] {
    const deliveries = this.#deliveries.of(policy);
    if (deliveries.length === 0 && !this.#addresses.isAwaitedBy(policy)) return [];
    const stale = this.#stale(deliveries);
    return [this.#applied(policy, deliveries), ...(stale === undefined ? [] : [stale])];
  }

  #applied(policy: Key, deliveries: readonly Delivery[]): TimelessCondition {
    const type = 'Applied';
    const [refused] = this.#options.rejections.of(policy);
    if (refused !== undefined) return { type, status: 'False', reason: 'OutputsRejected', message: refused.message };
    const waiting = deliveries.filter(({ pending }) => pending > 0);
    const [first] = waiting;
    if (first === undefined) {
      if (this.#addresses.isAwaitedBy(policy))
        return { type, status: 'False', reason: 'AddressPending', message: ADDRESS_PENDING };
      const problem = this.#envoys.conditionOf(policy);
      if (problem !== undefined) return problem;
      const clusters = deliveries.map(({ cluster }) => cluster);
      return { type, status: 'True', reason: 'Applied', message: `applied in ${shortList(clusters, MAX_LISTED)}` };
    }
    const away = waiting.find(({ cluster }) => this.#deliveryState(cluster) !== 'CONNECTED');
    if (away !== undefined) return this.#unsent(away.cluster);
    const clusters = waiting.map(({ cluster }) => cluster);
    return {
      type,
      status: 'False',
      reason: 'InProgress',
      message: `being applied in ${shortList(clusters, MAX_LISTED)}`,
    };
  }

  /** Condition for outputs that a cluster has not accepted, and that are not being sent. */
  #unsent(cluster: string): TimelessCondition {
    const [type, notSent] = ['Applied', notSentTo(cluster, this.#options)];
    // A paused output is known not to be applied; in the other cases the cluster may have it from before.
    if (notSent?.reason === 'Paused') return { type, status: 'False', ...notSent };
    if (notSent !== undefined) return { type, status: 'Unknown', ...notSent };
    const unheard = this.#options.connections.unheard(cluster);
    if (unheard !== undefined)
      return {
        type,
        status: 'Unknown',
        reason: unheardReason(unheard),
        message: `whether it is applied in cluster ${cluster} is unknown: ${whyUnheard(unheard)}`,
      };
    return {
      type,
      status: 'Unknown',
      reason: 'Disconnected',
      message: `the agent of cluster ${cluster} is disconnected since ${this.#since(cluster)}; outputs that it has not acknowledged may not be applied`,
    };
  }

  /** Absent if all clusters are connected: then statuses are current. */
  #stale(deliveries: readonly Delivery[]): TimelessCondition | undefined {
    const { connections } = this.#options;
    for (const { cluster } of deliveries) {
      const [type, status] = ['Stale', 'True'] as const;
      const unheard = connections.unheard(cluster);
      if (unheard !== undefined)
        return {
          type,
          status,
          reason: unheardReason(unheard),
          message: `the status of cluster ${cluster} is of ${shortTime(unheard.since)}: ${whyUnheard(unheard)}`,
        };
      if (this.#deliveryState(cluster) === 'AWAY')
        return {
          type,
          status,
          reason: 'Disconnected',
          message: `the status of cluster ${cluster} is of ${this.#since(cluster)}: its agent is disconnected since then`,
        };
    }
    return undefined;
  }

  #since(cluster: string): string {
    return shortTime(this.#options.connections.awaySince(cluster));
  }

  #deliveryState(cluster: string): DeliveryState {
    const last = this.#deliveryStates.get(cluster);
    if (this.#ending && last !== undefined) return last;
    const { fleet, connections } = this.#options;
    if (!fleet.isRegistered(cluster)) return 'AWAY';
    const notSent = notSentTo(cluster, this.#options);
    if (notSent !== undefined) return notSent.reason;
    if (connections.unheard(cluster) !== undefined) return 'UNHEARD';
    const { push, pull } = connections.of(cluster);
    return push && pull ? 'CONNECTED' : 'AWAY';
  }
}

function unheardReason({ silentReplica }: Unheard): string {
  return silentReplica === undefined ? 'StoreUnreachable' : 'ReplicaSilent';
}

function whyUnheard({ silentReplica }: Unheard): string {
  return silentReplica === undefined
    ? 'its agent may be connected to another replica of the server, and Redis is unreachable since then'
    : `replica ${silentReplica} of the server, to which its agent was connected, has sent nothing since then`;
}

/** The conditions about outputs in a status of the same spec. */
function lastWord({ observedGeneration }: ComputedStatus, before: PolicyStatus | undefined): TimelessCondition[] {
  if (before === undefined || before.observedGeneration !== observedGeneration) return [];
  return before.conditions
    .filter(({ type }) => CONDITIONS.has(type))
    .map(({ lastTransitionTime: _, ...condition }) => condition);
}

function outputKey(cluster: string, object: ObjectKey): Key {
  return desiredKey(cluster, object, object.namespace, object.name);
}

const ADDRESS_PENDING = 'outputs that need virtual IPs wait until the leader assigns them';

/** RFC 3339, in whole seconds. */
function shortTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Maximum number of names in a message. */
const MAX_LISTED = 5;
