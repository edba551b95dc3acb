/**
 * The diagnostics of the targets of each policy, aggregated in shards. A change only aggregates its shard again, not
 * all diagnostics of a policy that selects everything.
 */
import type { DestinationSelector, Policy, PolicyState, Report, ResourceRef, TargetStatus } from '@meshrelay/api';
import { type Collection, type Group, type Index, type Key, key, partsOf } from '@meshrelay/plugin';
import { backendsOf } from '../fields/virtual-destination/mod.ts';
import type { Graph } from '../graph/collection.ts';
import { type Diagnostic, isTargeted, names, type Resolved, type TargetKind, targetRef } from '../resolve/mod.ts';
import { policyKey } from '../store/fleet-state.ts';
import { textHash } from '../text/text-hash.ts';
import { firstOf } from './first-of.ts';
import type { StatusLimits } from './limits.ts';
import type { SelectedBy, SelectedTargets } from './selected-targets.ts';
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

export function worse(a: PolicyState, b: PolicyState): PolicyState {
  return RANK[a] >= RANK[b] ? a : b;
}

/** The summary of some targets. */
export interface TargetSummary {
  readonly worst: PolicyState;
  /** Whether the policy has an effect on any of them. */
  readonly isEffective: boolean;
  /** As many as a status lists, the worst first. */
  readonly first: readonly TargetStatus[];
}

/** The targets of a policy with diagnostics that fall into one shard. */
export interface TargetShard {
  readonly policy: Key;
  readonly number: number;
  /** Their ids. */
  readonly targets: readonly Key[];
  /** The number of those that the policy does not select itself. */
  readonly others: number;
  readonly summary: TargetSummary;
  /** The summary if the policy can affect none of its targets; only present if this shard has such targets. */
  readonly ifNothingElse?: TargetSummary;
}

export interface ReportedTargets {
  /** At most {@link PARTS} for each policy. */
  readonly partsOf: Index<TargetShard>;
  /** All diagnostics of a policy, for readers outside the graph. */
  readonly diagnosticsFor: (policy: Key) => readonly Diagnostic[];
}

/** A policy that selects everything in a thousand clusters has diagnostics for some thousands of targets. */
const PARTS = 32;

/** The shard of a target. */
export function partOf(target: Key): number {
  return (textHash(target) >>> 0) % PARTS;
}

/** The id of a target among those of a policy: a mesh and a Service may have the same key. */
export function targetId(kind: TargetKind, target: Key): Key {
  return kind === 'Destination' ? target : key(kind, target);
}

/** @param diagnostics in the order of reporting */
export function reportTargets(
  graph: Graph,
  { policies: { checked } }: Pick<Resolved, 'policies'>,
  diagnostics: readonly Collection<Diagnostic>[],
  { selectedBy, limits }: { readonly selectedBy: SelectedBy; readonly limits: StatusLimits },
): ReportedTargets {
  const { made, parts } = graph.gather<Diagnostic, Diagnostic, TargetShard>(
    'status/reported-targets',
    diagnostics,
    (diagnostic) => {
      const { policy, target } = diagnostic;
      return [[key(policyKey(policy), String(partOf(targetId(target.kind, target.key)))), diagnostic]];
    },
    (reported, read, id) => {
      const [policy, number] = partsOf(id) as readonly [Key, string];
      const object = read.get(checked, policy)?.object;
      if (object === undefined) return undefined;
      return {
        policy,
        number: Number(number),
        ...folded(reported, { object, selected: selectedBy(policy, read), limits }),
      };
    },
  );
  return {
    partsOf: graph.index(made, 'status/diagnostics-of-policy', ({ policy }) => [policy]),
    diagnosticsFor: (policy) =>
      Array.from({ length: PARTS }, (_, part) => parts.get(key(policy, String(part))) ?? []).flat(),
  };
}

interface Folding {
  readonly object: Policy;
  readonly selected: SelectedTargets;
  readonly limits: StatusLimits;
}

function folded(
  diagnostics: Group<Diagnostic>,
  { object, selected, limits }: Folding,
): Pick<TargetShard, 'targets' | 'others' | 'summary' | 'ifNothingElse'> {
  const reported = new Map<Key, MutableTarget>();
  for (const { target, state, reports, infoUnlessNamed } of diagnostics) {
    const id = targetId(target.kind, target.key);
    const found = reported.get(id) ?? newTarget(target);
    reported.set(id, found);
    if (infoUnlessNamed !== true) found.state = worse(found.state, state);
    const list = infoUnlessNamed === true ? found.infoUnlessNamed : found.reports;
    for (const report of reports) {
      if (!list.some((known) => known.code === report.code && known.message === report.message)) list.push(report);
    }
  }
  const targets = [...reported.values()];
  const named = selectorsOf(object);
  const summary = (isLost: (target: MutableTarget) => boolean): TargetSummary =>
    summaryOf(
      targets.map((target) => settled(target, isLost(target), limits)),
      limits,
    );
  return {
    targets: [...reported.keys()],
    others: targets.filter(({ ref, target }) => ref.kind !== selected.kind || !selected.has(target)).length,
    summary: summary(({ ref }) => names(named, ref)),
    ...(targets.every(({ infoUnlessNamed }) => infoUnlessNamed.length > 0)
      ? { ifNothingElse: summary(() => true) }
      : {}),
  };
}

interface MutableTarget {
  readonly ref: ResourceRef;
  readonly target: Key;
  state: PolicyState;
  readonly reports: Report[];
  /** Reports caused by the nature of the target, which may be irrelevant to the policy. */
  readonly infoUnlessNamed: Report[];
}

function newTarget(target: Diagnostic['target']): MutableTarget {
  return { ref: targetRef(target), target: target.key, state: 'ACCEPTED', reports: [], infoUnlessNamed: [] };
}

/**
 * A policy that selects everything also selects targets that it cannot affect: they get the report as info. The report
 * counts fully if the policy names that target, or has no other target.
 */
function settled(
  { ref, state, reports, infoUnlessNamed }: MutableTarget,
  lost: boolean,
  limits: StatusLimits,
): TargetStatus {
  return {
    ...ref,
    state: lost && infoUnlessNamed.length > 0 ? worse(state, 'DEGRADED') : state,
    reports: worstOf(
      [...reports, ...infoUnlessNamed.map((report): Report => (lost ? report : { ...report, severity: 'info' }))],
      limits.reports,
    ),
  };
}

function summaryOf(targets: readonly TargetStatus[], limits: StatusLimits): TargetSummary {
  return {
    worst: targets.reduce<PolicyState>((worst, { state }) => worse(worst, state), 'ACCEPTED'),
    isEffective: targets.some(({ state }) => state === 'ACCEPTED' || state === 'DEGRADED'),
    first: firstOf(targets, limits.targets, compareTargets),
  };
}

function selectorsOf(object: Policy): readonly DestinationSelector[] {
  if (isTargeted(object)) return object.spec.destinationSelector ?? [];
  if (object.kind === 'VirtualDestination') return backendsOf(object.spec).selectors;
  if (object.kind !== 'VirtualMesh') return [];
  return (object.spec.federation?.selectors ?? []).flatMap(({ destinationSelectors }) => destinationSelectors ?? []);
}

/**
 * The worst first; then members of a virtual mesh before its destinations, then by cluster, namespace and name: the
 * same on every replica.
 */
export function compareTargets(a: TargetStatus, b: TargetStatus): number {
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
