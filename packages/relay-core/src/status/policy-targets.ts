/** The targets of one policy: those something is to be told of, one by one, and the rest, of which there may be very many. */
import type { DestinationSelector, Policy, PolicyState, Report, ResourceRef, TargetStatus } from '@meshrelay/api';
import { type Key, key, partsOf } from '../graph/key.ts';
import { isTargeted } from '../resolve/policies.ts';
import { names } from '../resolve/selectors.ts';
import type { TargetKind } from '../resolve/verdict.ts';
import { memberSelectors } from '../resolve/virtual-destinations/selected.ts';
import { firstOf } from './first-of.ts';
import type { SelectedTargets } from './selected-targets.ts';
import type { StatusLimits } from './status-limits.ts';
import { worstOf } from './worst-first.ts';

/** From best to worst: a policy's state is the worst of its targets'. */
const RANK: Readonly<Record<PolicyState, number>> = {
  ACCEPTED: 0,
  DEGRADED: 1,
  PENDING: 2,
  CONFLICT: 3,
  INVALID: 4,
  FAILED: 5,
};

export interface MutableTarget extends ResourceRef {
  state: PolicyState;
  readonly reports: Report[];
  /** What is in the target's nature and may be of no concern to the policy. */
  readonly moot: Report[];
}

export function newTarget(kind: TargetKind, targetKey: Key): MutableTarget {
  const [cluster = '', namespace = '', name = ''] = partsOf(targetKey);
  return { kind, cluster, namespace, name, state: 'ACCEPTED', reports: [], moot: [] };
}

function keyOf({ cluster, namespace, name }: MutableTarget): Key {
  return key(cluster, namespace, name);
}

/** Where a target stands among a policy's: a mesh and a Service may have the same key. */
export function targetId(kind: TargetKind, target: Key): Key {
  return kind === 'Destination' ? target : key(kind, target);
}

export function worse(a: PolicyState, b: PolicyState): PolicyState {
  return RANK[a] >= RANK[b] ? a : b;
}

/** A selected target that nothing is told of is ACCEPTED without reports. */
export class PolicyTargets {
  /** How many there are. */
  readonly count: number;
  readonly #told: ReadonlyMap<Key, MutableTarget>;
  readonly #selected: SelectedTargets;

  /** @param told verdicts may also be about targets that the policy does not select itself */
  constructor(told: ReadonlyMap<Key, MutableTarget>, selected: SelectedTargets) {
    let others = 0;
    for (const target of told.values()) if (target.kind !== selected.kind || !selected.has(keyOf(target))) others += 1;
    this.count = selected.count + others;
    this.#told = told;
    this.#selected = selected;
  }

  get worstState(): PolicyState {
    let state: PolicyState = 'ACCEPTED';
    for (const target of this.#told.values()) state = worse(state, target.state);
    return state;
  }

  /** Whether the policy has effects on any of them. */
  get inForceAnywhere(): boolean {
    if (this.#told.size < this.count) return true;
    for (const { state } of this.#told.values()) if (state === 'ACCEPTED' || state === 'DEGRADED') return true;
    return false;
  }

  /**
   * A policy for everything sweeps in what it cannot act on: that is told in passing. It is a loss where the policy names that very target,
   * or where there is no other target.
   */
  settleMoot(object: Policy): void {
    const moot = [...this.#told.values()].filter((target) => target.moot.length > 0);
    const nothingElse = moot.length === this.count;
    const named = selectorsOf(object);
    for (const target of moot) {
      const lost = nothingElse || names(named, target);
      if (lost) target.state = worse(target.state, 'DEGRADED');
      target.reports.push(...target.moot.map((report): Report => (lost ? report : { ...report, severity: 'info' })));
    }
  }

  /** The first so many: the worst, then by kind, cluster, namespace and name. */
  first({ targets: most, reports }: StatusLimits): TargetStatus[] {
    const statusOf = ({ moot: _moot, ...target }: MutableTarget): TargetStatus => ({
      ...target,
      reports: worstOf(target.reports, reports),
    });
    const told = [...this.#told.values()];
    const troubled = firstOf(
      told.filter(({ state }) => state !== 'ACCEPTED'),
      most,
      compareTargets,
    );
    const room = most - troubled.length;
    if (room === 0) return troubled.map(statusOf);
    const fine = told.filter(({ state }) => state === 'ACCEPTED');
    for (const target of this.#untold(room)) fine.push(newTarget(this.#selected.kind, target));
    return [...troubled, ...firstOf(fine, room, compareTargets)].map(statusOf);
  }

  *#untold(most: number): Iterable<Key> {
    if (this.#told.size === this.count) return;
    let left = most;
    for (const target of this.#selected.inOrder()) {
      if (this.#told.has(targetId(this.#selected.kind, target))) continue;
      yield target;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** The worst first; then members of a virtual mesh before its destinations, then by cluster, namespace, name: the same on every replica. */
function compareTargets(a: MutableTarget, b: MutableTarget): number {
  return (
    RANK[b.state] - RANK[a.state] ||
    Number(a.kind !== 'Mesh') - Number(b.kind !== 'Mesh') ||
    compare(a.cluster, b.cluster) ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function selectorsOf(object: Policy): readonly DestinationSelector[] {
  if (isTargeted(object)) return object.spec.destinationSelector ?? [];
  if (object.kind === 'VirtualDestination') return memberSelectors(object.spec);
  if (object.kind !== 'VirtualMesh') return [];
  return (object.spec.federation?.selectors ?? []).flatMap(({ destinationSelectors }) => destinationSelectors ?? []);
}
