/**
 * I9: an event in one cluster delays nothing that does not depend on that cluster. Checked while a schedule runs,
 * because at the end all faults have healed.
 */
import { MANAGEMENT, type SimFleet } from '../fleet/fleet.ts';
import type { Operation } from '../run/operation.ts';
import { presentOutputs } from './convergence.ts';
import { ABSENT, type Oracle } from './oracle.ts';
import type { Violation } from './violation.ts';

/**
 * Simulated milliseconds within which a fleet without faults must apply any change: three times the slowest change of
 * some hundred schedules.
 */
const LIMIT = 1_000;
/** Simulated milliseconds after a fault during which the affected cluster is excused: Leases, backoff, relists. */
const RECOVERY = 90_000;
/** Simulated milliseconds between two checks. */
const RESYNC_INTERVAL_MS = 250;

/** What a fault affects: one cluster with all its programs, or the whole fleet. */
type Hit = { readonly where: string; readonly until: number };

export class Isolation {
  /** Number of objects checked. */
  checks = 0;
  readonly #fleet: SimFleet;
  readonly #oracle: Oracle;
  /** The end of each cluster's excuse, and since when it has had no fault. */
  readonly #excused = new Map<string, number>();
  /**
   * Since when servers have synced all clusters. Servers wait for all clusters when they start, so until then a fault
   * of one cluster affects all.
   */
  #wholeSince: number;
  #checkedAt = 0;

  /** @param from when the fleet is up, in simulated milliseconds */
  constructor(fleet: SimFleet, oracle: Oracle, from: number) {
    this.#fleet = fleet;
    this.#oracle = oracle;
    this.#wholeSince = from;
  }

  /** An operation is about to be performed. */
  note(operation: Operation): void {
    const hit = hitOf(operation, this.#fleet);
    if (hit === undefined) return;
    const until = hit.until + RECOVERY;
    if (hit.where !== MANAGEMENT) this.#excused.set(hit.where, Math.max(until, this.#excused.get(hit.where) ?? 0));
    if (hit.where === MANAGEMENT || operation.at < this.#wholeSince)
      this.#wholeSince = Math.max(this.#wholeSince, until, ...this.#excused.values());
  }

  /** Checks the objects of clusters without a fault. @returns the changes that came too late */
  check(now: number): Violation[] {
    if (now - this.#checkedAt < RESYNC_INTERVAL_MS || now < this.#wholeSince) return [];
    this.#checkedAt = now;
    return this.#fleet.clusters.flatMap((cluster) => {
      const wellSince = Math.max(this.#wholeSince, this.#excused.get(cluster) ?? 0);
      return now < wellSince ? [] : this.#violationsOf(cluster, wellSince, now);
    });
  }

  #violationsOf(cluster: string, wellSince: number, now: number): Violation[] {
    const present = presentOutputs(this.#fleet, cluster);
    const late: Violation[] = [];
    for (const { id, content, since } of this.#oracle.desiredNow(cluster)) {
      // A deletion may be held until a user approves it.
      if (content === ABSENT || !this.#isOfWell(id, now) || now - Math.max(since, wellSince) < LIMIT) continue;
      this.checks++;
      if (present.get(id) !== content)
        late.push({
          invariant: 'I9',
          at: now,
          message: `${cluster} has waited ${Math.round(now - since)} ms for ${id}, which does not depend on any disturbed cluster`,
        });
    }
    return late;
  }

  /** Sheets are `local.SERVICE`, which depend only on their own cluster and on policies, or `reach.SERVICE.CLUSTER`. */
  #isOfWell(id: string, now: number): boolean {
    const [kind, , cluster = ''] = id.slice(id.indexOf('/') + 1).split('.');
    return kind === 'local' || (kind === 'reach' && (this.#excused.get(cluster) ?? 0) <= now);
  }
}

/** What an operation disturbs, and until when; undefined for ordinary user changes. */
function hitOf(operation: Operation, fleet: SimFleet): Hit | undefined {
  const { at } = operation;
  const clusterOf = (place: string): string => fleet.places.get(place)?.api ?? place;
  /** A link belongs to the end that is a workload cluster. */
  const linkOf = (from: string, to: string): string => {
    const ends = [from, to].map(clusterOf);
    return ends.find((end) => fleet.clusters.includes(end)) ?? MANAGEMENT;
  };
  switch (operation.do) {
    case 'put-service':
    case 'delete-service':
    case 'put-services':
    case 'delete-services':
    case 'put-policy':
    case 'delete-policy':
    case 'put-virtual-mesh':
    case 'delete-virtual-mesh':
    case 'approve':
    case 'wait':
      return undefined;
    case 'crash':
    case 'stop':
      return { where: clusterOf(operation.place), until: at + operation.down };
    case 'double':
      return { where: clusterOf(operation.place), until: at + operation.frozen + operation.both };
    case 'freeze':
      return { where: clusterOf(operation.place), until: at + operation.lasts };
    case 'rate':
      return { where: clusterOf(operation.place), until: Number.POSITIVE_INFINITY };
    case 'wall':
      return { where: clusterOf(operation.place), until: at };
    case 'partition':
    case 'slow':
      return { where: linkOf(operation.from, operation.to), until: at + operation.lasts };
    case 'cut':
      return { where: linkOf(operation.from, operation.to), until: at };
    case 'api-down':
    case 'api-errors':
    case 'failing-lists':
    case 'silent-watches':
    case 'stale-lists':
      return { where: operation.host, until: at + operation.lasts };
    case 'compact':
      return { where: operation.host, until: at };
    case 'drift':
    case 'lease':
      return { where: operation.cluster, until: at };
    // It ends with the faults.
    case 'suspend':
      return { where: operation.cluster, until: Number.POSITIVE_INFINITY };
    // The membership of a VirtualMesh affects the objects of all its members.
    case 'deregister':
    case 'register':
      return { where: MANAGEMENT, until: Number.POSITIVE_INFINITY };
    case 'redis':
    case 'tamper':
      return { where: MANAGEMENT, until: at };
    case 'redis-down':
      return { where: MANAGEMENT, until: at + operation.lasts };
    default:
      return operation satisfies never;
  }
}
