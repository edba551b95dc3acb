/** The statuses of policies with what became of their outputs: whether every cluster has them, and how old that knowledge is. */
import { type PolicyStatus, shortList } from '@meshrelay/api';
import {
  bounded,
  type ChangeSet,
  type ComputedStatus,
  desiredKey,
  type JudgedPolicy,
  type Key,
  key,
  policyKey,
  SETTINGS_KEY,
  type TimelessCondition,
} from '@meshrelay/relay-core';
import { compareVectors, type InputVector, type ObjectKey } from '@meshrelay/relay-protocol';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { Connections } from '../relay/connections.ts';
import type { KnownInputs } from '../replicas/cluster-word.ts';
import type { Fleet } from '../store/fleet.ts';
import { AwaitedAddresses } from './awaited-addresses.ts';
import { clusterState } from './cluster-state.ts';
import { Deliveries, type Delivery } from './deliveries.ts';
import { EnvoyProblems } from './envoy-problems.ts';
import type { PolicyRefusals } from './policy-refusals.ts';

export interface PolicyOutcomesOptions {
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly outputs: Pick<ClusterOutputs, 'hashOf'>;
  readonly refusals: PolicyRefusals;
  /** The inputs that what is desired now was computed from. */
  readonly vector: () => InputVector;
  /** What the objects of the management cluster's kinds come to now, by component of the vector. */
  readonly digests: () => ReadonlyMap<string, string>;
  /** Since when nothing new is known of clusters connected to other replicas; undefined while it is. */
  readonly staleSince: () => Date | undefined;
}

/** An object as it was sent, or its deletion. */
export type SentObject = ObjectKey & { readonly hash?: string };

/** How a cluster stands, as far as conditions tell. */
type Standing = 'CONNECTED' | 'AWAY' | 'SUSPENDED' | 'LEAVING';

/** Why nobody knows whether a cluster has what it is to have. */
const REASONS: Readonly<Record<Standing, string>> = {
  CONNECTED: 'InProgress',
  AWAY: 'Disconnected',
  SUSPENDED: 'Suspended',
  LEAVING: 'Deregistering',
};

/** What is judged here, rather than from inputs alone. */
const CONDITIONS: ReadonlySet<string> = new Set(['Applied', 'Stale']);

export class PolicyOutcomes {
  readonly #options: PolicyOutcomesOptions;
  readonly #deliveries: Deliveries;
  readonly #addresses: AwaitedAddresses;
  readonly #envoys: EnvoyProblems;
  readonly #standings = new Map<string, Standing>();
  /** Clusters whose agents have had everything once since this server began: before, nobody knows what they have. */
  readonly #heard = new Set<string>();
  /** The inputs by which what a cluster is to have was last changed. */
  readonly #changedBy = new Map<string, InputVector>();
  #patient = true;
  #ending = false;

  constructor(options: PolicyOutcomesOptions) {
    this.#options = options;
    this.#deliveries = new Deliveries(options.fleet.controlPlane.desired);
    this.#addresses = new AwaitedAddresses(options.fleet.controlPlane);
    this.#envoys = new EnvoyProblems(options.fleet.controlPlane);
  }

  /**
   * A policy's status as it is to be written and shown.
   * @param before the status it has, whose word about its outputs stands for as long as nothing better is known
   */
  statusOf(judged: JudgedPolicy, before?: PolicyStatus): ComputedStatus {
    const status = this.#options.refusals.statusOf(judged);
    const policy = policyKey(judged.ref);
    const conditions = this.isUnsure(policy) ? lastWord(status, before) : this.#conditionsOf(policy);
    return bounded(conditions.length === 0 ? status : { ...status, conditions: [...status.conditions, ...conditions] });
  }

  /** Whether agents have yet to say what they have of a policy's outputs, as they do soon after the server has started. */
  isUnsure(policy: Key): boolean {
    return this.#patient && this.#deliveries.of(policy).some(({ cluster }) => !this.#heard.has(cluster));
  }

  /** Clusters that were not heard of by now are away. @returns policies whose conditions may be others */
  waitNoLonger(): Key[] {
    const unsure = [...this.#options.fleet.controlPlane.statuses.entries()]
      .map(([policy]) => policy)
      .filter((policy) => this.isUnsure(policy));
    this.#patient = false;
    return unsure;
  }

  /** The server ends: that streams end with it says nothing about the clusters. */
  end(): void {
    this.#ending = true;
  }

  /** Takes up a finished commit. @returns policies whose conditions may be others */
  follow(changes: ChangeSet): Key[] {
    const clusters = changes.of(this.#options.fleet.world.clusters).flatMap(({ after }) => after?.name ?? []);
    const { controlPlane } = this.#options.fleet;
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
    const standing = this.#standing(cluster);
    if (this.#standings.get(cluster) === standing) return [];
    this.#standings.set(cluster, standing);
    return this.#deliveries.policiesIn(cluster);
  }

  /** A cluster's agent has taken these objects. One that has changed since is still to be taken. */
  taken(cluster: string, objects: readonly SentObject[]): Key[] {
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

  /** A cluster's agent has everything, but for what it refused. */
  settled(cluster: string): Key[] {
    const { refusals } = this.#options;
    const told = [...this.#deliveries.settled(cluster, (output) => refusals.ofOutput(cluster, output) !== undefined)];
    if (this.#heard.has(cluster)) return told;
    this.#heard.add(cluster);
    return [...new Set([...told, ...this.#deliveries.policiesIn(cluster)])];
  }

  /** Policies of which a cluster's agent has yet to take something; undefined while it has not had everything once. */
  waitingIn(cluster: string): Key[] | undefined {
    return this.#heard.has(cluster) ? this.#deliveries.waitingIn(cluster) : undefined;
  }

  /** How many objects agents that are connected here have yet to take; what they refused is not under way. */
  underWay(): number {
    const { fleet, connections, refusals } = this.#options;
    if (fleet.world.settings.get(SETTINGS_KEY)?.spec.paused === true) return 0;
    let count = 0;
    for (const [, { name, paused = false }] of fleet.world.clusters.entries()) {
      if (paused || !connections.isHere(name) || this.#standing(name) !== 'CONNECTED') continue;
      for (const output of this.#deliveries.pendingIn(name)) if (refusals.ofOutput(name, output) === undefined) count++;
    }
    return count;
  }

  /**
   * A cluster's agent, connected to another replica, has all that follows from these inputs but what these policies are waiting for. That is no
   * answer while what is desired here follows from newer ones.
   */
  settledElsewhere(cluster: string, inputs: KnownInputs, waiting: readonly Key[]): Key[] {
    if (this.#heard.has(cluster) && !this.#deliveries.isPending(cluster)) return [];
    const changedBy = this.#changedBy.get(cluster);
    if (changedBy !== undefined && !this.#isCoveredBy(inputs, changedBy)) return [];
    const { refusals } = this.#options;
    const isRefused = (output: Key): boolean => refusals.ofOutput(cluster, output) !== undefined;
    const told = [...this.#deliveries.settledElsewhere(cluster, new Set(waiting), isRefused)];
    if (this.#heard.has(cluster)) return told;
    this.#heard.add(cluster);
    return [...new Set([...told, ...this.#deliveries.policiesIn(cluster)])];
  }

  /** A kind of the management cluster that both replicas know alike is no older there, whenever each of them first listed it. */
  #isCoveredBy({ vector, digests }: KnownInputs, changedBy: InputVector): boolean {
    const own = this.#options.digests();
    const differing = [...changedBy].filter(([name]) => {
      const digest = own.get(name);
      return digest === undefined || digests.get(name) !== digest;
    });
    const { order } = compareVectors(vector, new Map(differing));
    return order === 'equal' || order === 'newer';
  }

  /** None where no cluster has, or is to have, anything because of the policy. */
  #conditionsOf(policy: Key): TimelessCondition[] {
    const deliveries = this.#deliveries.of(policy);
    if (deliveries.length === 0 && !this.#addresses.isAwaitedBy(policy)) return [];
    const stale = this.#stale(deliveries);
    return [this.#applied(policy, deliveries), ...(stale === undefined ? [] : [stale])];
  }

  #applied(policy: Key, deliveries: readonly Delivery[]): TimelessCondition {
    const type = 'Applied';
    const [refused] = this.#options.refusals.of(policy);
    if (refused !== undefined) return { type, status: 'False', reason: 'Refused', message: refused.message };
    const waiting = deliveries.filter(({ pending }) => pending > 0);
    const [first] = waiting;
    if (first === undefined) {
      if (this.#addresses.isAwaitedBy(policy))
        return { type, status: 'False', reason: 'AddressPending', message: ADDRESS_PENDING };
      const problem = this.#envoys.conditionOf(policy);
      if (problem !== undefined) return problem;
      const clusters = deliveries.map(({ cluster }) => cluster);
      return { type, status: 'True', reason: 'Applied', message: `in place in ${shortList(clusters, MAX_LISTED)}` };
    }
    const away = waiting.find(({ cluster }) => this.#standing(cluster) !== 'CONNECTED');
    if (away !== undefined)
      return { type, status: 'Unknown', reason: this.#reason(away.cluster), message: this.#whyUnknown(away.cluster) };
    const clusters = waiting.map(({ cluster }) => cluster);
    return { type, status: 'False', reason: 'InProgress', message: `on its way to ${shortList(clusters, MAX_LISTED)}` };
  }

  /** Absent where all clusters are connected: then what statuses tell is of now. */
  #stale(deliveries: readonly Delivery[]): TimelessCondition | undefined {
    const away = deliveries.find(({ cluster }) => this.#standing(cluster) === 'AWAY');
    if (away === undefined) return this.#unreached(deliveries);
    const { cluster } = away;
    const since = this.#since(cluster);
    return {
      type: 'Stale',
      status: 'True',
      reason: 'Disconnected',
      message: `what is told of cluster ${cluster} is as it was ${since}: its agent is not connected since then`,
    };
  }

  /** What other replicas know of their clusters does not get here. */
  #unreached(deliveries: readonly Delivery[]): TimelessCondition | undefined {
    const { connections, staleSince } = this.#options;
    const since = staleSince();
    const elsewhere = deliveries.find(({ cluster }) => connections.of(cluster).replica !== undefined);
    if (since === undefined || elsewhere === undefined) return undefined;
    return {
      type: 'Stale',
      status: 'True',
      reason: 'StoreUnreachable',
      message: `what is told of cluster ${elsewhere.cluster} is as it was ${shortTime(since)}: it is connected to another replica, and Redis is not reached since then`,
    };
  }

  /** Policies with outputs in clusters that are connected to other replicas. */
  policiesElsewhere(): Key[] {
    return [
      ...new Set([...this.#options.connections.elsewhere].flatMap((cluster) => this.#deliveries.policiesIn(cluster))),
    ];
  }

  #reason(cluster: string): string {
    return REASONS[this.#standing(cluster)];
  }

  #whyUnknown(cluster: string): string {
    const standing = this.#standing(cluster);
    if (standing === 'LEAVING')
      return `cluster ${cluster} is being deregistered, so everything of ours is removed from it`;
    return standing === 'SUSPENDED'
      ? `cluster ${cluster} is suspended, so nothing is sent to it`
      : `the agent of cluster ${cluster} is not connected since ${this.#since(cluster)}; what it has not acknowledged may not be in place`;
  }

  #since(cluster: string): string {
    return shortTime(this.#options.connections.awaySince(cluster));
  }

  #standing(cluster: string): Standing {
    const last = this.#standings.get(cluster);
    if (this.#ending && last !== undefined) return last;
    const { fleet, connections } = this.#options;
    const facts = fleet.world.clusters.get(key(cluster));
    if (facts === undefined) return 'AWAY';
    const state = clusterState(facts, connections.of(cluster), { synced: true });
    if (state === 'DRAINING' || state === 'DRAINED') return 'LEAVING';
    return state === 'CONNECTED' || state === 'SUSPENDED' ? state : 'AWAY';
  }
}

/** What a status of the same spec said about outputs. */
function lastWord({ observedGeneration }: ComputedStatus, before: PolicyStatus | undefined): TimelessCondition[] {
  if (before === undefined || before.observedGeneration !== observedGeneration) return [];
  return before.conditions
    .filter(({ type }) => CONDITIONS.has(type))
    .map(({ lastTransitionTime: _, ...condition }) => condition);
}

function outputKey(cluster: string, object: ObjectKey): Key {
  return desiredKey(cluster, object, object.namespace, object.name);
}

const ADDRESS_PENDING =
  'what follows from virtual addresses that are not decided yet is still to come; the server that holds the Lease decides them';

/** RFC 3339, in whole seconds. */
function shortTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Names in a message. */
const MAX_LISTED = 5;
