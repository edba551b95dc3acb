/** Selects the desired objects per cluster: one per name, never one that the user owns. */

import type { PolicyState, Report } from '@meshrelay/api';
import type { Collection, Group, Key, MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import { OWNER_LABEL } from '../input/managed-labels.ts';
import { Packed } from '../packed/packed.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { collectDiagnostics, type Diagnostic } from '../resolve/mod.ts';
import type { PresentObject } from '../store/fleet-state.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import {
  desiredKey,
  type OutputHead,
  type PackedOutput,
  type PackedProposal,
  type ProposalBody,
  type Proposing,
  proposalsOf,
} from '../translate/mod.ts';
import { conflictsAmong, objectConflictDiagnostics } from './conflicting-objects.ts';
import type { WorkloadsRunning } from './failing-workloads.ts';
import { type PolicyAckStatus, proxyStatus } from './proxy-status.ts';
import { selectingField } from './selecting-field.ts';
import { type PolicyUnanswered, unansweredByProxies } from './unanswered-by-proxies.ts';

/** An object proposed by one view, with the target of that view. */
export interface Proposal extends OutputHead, ProposalBody {}

/** Inputs in addition to the proposals. */
export interface DesiredContext {
  /** The existing objects of clusters. */
  readonly present: Collection<PresentObject>;
  /** Patches of user-owned objects; their names never equal those of other outputs. */
  readonly patches: Collection<PackedOutput>;
  readonly meshes: Collection<MeshFacts>;
  readonly workloadsRunning: WorkloadsRunning;
  readonly plugins: readonly LoadedPlugin[];
  /** The management namespace: the value of the owner label. */
  readonly owner: string;
}

export interface ChosenObjects {
  readonly desired: Collection<PackedOutput>;
  /** The candidates, under the objects' keys in `desired`; for readers outside the graph. */
  readonly proposals: Collection<Group<Proposal>>;
  /** Proposals that were not applied, or that conflict. */
  readonly rejected: Collection<readonly RejectedProposal[]>;
  readonly diagnostics: readonly Collection<Diagnostic>[];
  readonly ackStatus: Collection<PolicyAckStatus>;
  readonly unanswered: Collection<PolicyUnanswered>;
}

/**
 * Selects one object of each name. Several views may propose the same object, for example of two control planes with
 * one root namespace. It is written once, for the policies of all views.
 * If the proposals differ, the first one wins, in the order of `proposing` and then by key. A user-owned object is
 * never touched. The generated object is not applied if both have one name or claim the same exclusive resource.
 */
export function chooseDesired(
  graph: Graph,
  proposing: ReadonlyArray<Collection<Proposing>>,
  { present, patches, meshes, workloadsRunning, plugins, owner }: DesiredContext,
): ChosenObjects {
  // Managed objects change with every output and are irrelevant to the choice.
  const foreign = graph.derive('output/unmanaged', present, (found) =>
    found.object.value.metadata.labels?.[OWNER_LABEL] === owner ? undefined : found,
  );
  const conflictsOf = conflictsAmong(graph, { foreign, meshes, plugins });
  const { made: choices, parts } = graph.gather<Proposing | PresentObject | PackedOutput, Candidate, Choice>(
    'output/choices',
    [...proposing, foreign, patches],
    (given, _read, at): ReadonlyArray<readonly [Key, Candidate]> => {
      if (given instanceof Packed) return [[at, { patch: given }]];
      if ('object' in given) return [[at, FOREIGN]];
      return proposalsOf(given).map((one) => [nameOf(one), one]);
    },
    (candidates, read) => {
      const [first] = candidates;
      if (candidates.length === 1 && isPatch(first)) return first.patch;
      const group = candidates.filter(isProposal);
      if (group.length === 0) return undefined;
      if (group.length < candidates.length)
        return { lost: group.map((one) => ({ one, state: 'CONFLICT', report: foreignReport(one, owner) })) };
      const agreed = agreeing(group);
      const conflictingObjects = conflictsOf(agreed[0], read);
      const conflicting =
        conflictingObjects.length === 0
          ? NONE
          : agreed.flatMap((one) =>
              objectConflictDiagnostics(one, conflictingObjects).map((diagnostic) => ({ one, ...diagnostic })),
            );
      if (conflictingObjects[0]?.effect === 'notApplied') return { lost: conflicting };
      const chosen = forAll(agreed);
      if (agreed.length === group.length) return conflicting.length === 0 ? chosen : { chosen, lost: conflicting };
      const clashing = group.filter((one) => !agreed.includes(one));
      const clashes = clashing.map((one): RejectedProposal => ({ one, state: 'CONFLICT', report: clashReport(one) }));
      return { chosen, lost: [...conflicting, ...clashes] };
    },
  );
  const desired = graph.derive('output/desired', choices, (choice) => (isUndisputed(choice) ? choice : choice.chosen));
  const rejected = graph.derive('output/rejected', choices, (choice) =>
    isUndisputed(choice) ? undefined : choice.lost,
  );
  const diagnostics = collectDiagnostics(graph, 'output/diagnostics', rejected, (lost) =>
    lost.flatMap(
      ({
        one: {
          about,
          value: { target },
        },
        state,
        report,
      }) =>
        about.sourcePolicies.map((policy): Diagnostic => {
          return { policy, target, state, reports: [inPolicy(report, selectingField(policy, target.kind))] };
        }),
    ),
  );
  // A packed proposal keeps its target; patches concern no proxies.
  const targetOf = ({ value }: PackedOutput) => (value as Partial<ProposalBody>).target;
  const reported = proxyStatus(graph, { present, desired }, { targetOf, workloadsRunning });
  return {
    desired,
    proposals: proposalsAmong(parts),
    rejected,
    diagnostics: [reported.diagnostics, diagnostics],
    ackStatus: reported.ackStatus,
    unanswered: unansweredByProxies(graph, { present, desired }),
  };
}

const NONE: readonly never[] = [];

/** Marks an existing unmanaged object among the proposals of a name. */
const FOREIGN = 'foreign';

/** Marks a patch of a user-owned object there. */
interface Patch {
  readonly patch: PackedOutput;
}

type Candidate = PackedProposal | Patch | typeof FOREIGN;

function isProposal(candidate: Candidate): candidate is PackedProposal {
  return candidate instanceof Packed;
}

function isPatch(candidate: Candidate | undefined): candidate is Patch {
  return typeof candidate === 'object' && 'patch' in candidate;
}

function proposalsAmong(candidates: Collection<Group<Candidate>>): Collection<Group<Proposal>> {
  const get = (name: Key): Group<Proposal> | undefined => {
    const group = candidates.get(name)?.filter(isProposal) ?? [];
    return group.length === 0 ? undefined : group.map(({ about, value }) => ({ ...about, ...value }));
  };
  const entries = (): Array<readonly [Key, Group<Proposal>]> =>
    [...candidates.entries()].flatMap(([name]) => {
      const group = get(name);
      return group === undefined ? [] : [[name, group] as const];
    });
  return {
    name: 'output/proposals',
    get,
    has: (name) => candidates.get(name)?.some(isProposal) === true,
    entries: () => entries().values(),
    get size() {
      return entries().length;
    },
  };
}

/**
 * The result for the proposals of one name: only the chosen proposal if there is nothing to report, which is the usual
 * case.
 */
type Choice = PackedOutput | { readonly chosen?: PackedOutput; readonly lost: readonly RejectedProposal[] };

function isUndisputed(choice: Choice): choice is PackedOutput {
  return choice instanceof Packed;
}

/** The report to the source policies of a proposal. */
export interface RejectedProposal {
  readonly one: PackedProposal;
  readonly state: PolicyState;
  readonly report: Report;
}

/** The object that all these proposals agree on, with the policies of all. */
function forAll(agreed: readonly [PackedProposal, ...PackedProposal[]]): PackedOutput {
  const [first] = agreed;
  if (agreed.length === 1) return first;
  const sourcePolicies = mergeRefs(...agreed.map(({ about }) => about.sourcePolicies)).toSorted(compareRefs);
  return new Packed(first.value, { ...first.about, sourcePolicies });
}

function nameOf({ about: { kind }, value: { cluster, object } }: PackedProposal): Key {
  const { namespace = '', name } = object.metadata;
  return desiredKey(cluster, kind, namespace, name);
}

/** The first proposal, and those of the same object. Groups are never empty. */
function agreeing(group: Group<PackedProposal>): readonly [PackedProposal, ...PackedProposal[]] {
  if (group.length === 1) return group as readonly [PackedProposal];
  const [first, ...others] = group as readonly [PackedProposal, ...PackedProposal[]];
  const { object } = first.value;
  const isSame = (one: PackedProposal): boolean =>
    one.about.plugin === first.about.plugin && deepEqual(one.value.object, object);
  return [first, ...others.filter(isSame)];
}

/** No policy change resolves two views that contradict each other. */
function inPolicy(report: Report, field: string): Report {
  return report.code === 'DUPLICATE_OUTPUT' ? report : { ...report, field };
}

function foreignReport({ about, value: { cluster, object } }: PackedProposal, owner: string): Report {
  const { kind } = about.kind;
  const { namespace = '', name } = object.metadata;
  return {
    code: 'OBJECT_EXISTS',
    severity: 'error',
    message: `${kind} ${namespace}/${name} of cluster ${cluster} exists and is not managed by Meshrelay, so it stays unchanged; rename it, or label it ${OWNER_LABEL}=${owner} to let Meshrelay manage it`,
    related: [{ kind, namespace, name, cluster }],
  };
}

function clashReport({ about: { kind, plugin }, value: { cluster, object } }: PackedProposal): Report {
  const { namespace = '', name } = object.metadata;
  return {
    code: 'DUPLICATE_OUTPUT',
    severity: 'error',
    message: `plugin ${plugin} writes ${kind.kind} ${namespace}/${name} of cluster ${cluster} twice with different content; report it to the plugin's author`,
  };
}
