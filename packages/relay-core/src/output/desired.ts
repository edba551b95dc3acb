/** What every cluster is to have: one object of each name, ours alone. */
import type { PolicyState, Report } from '@meshrelay/api';
import type { Collection, Graph, Group } from '../graph/collection.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import { type Key, key } from '../graph/key.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { MeshFacts } from '../plugin/views/mod.ts';
import { compareRefs, mergeRefs } from '../resolve/precedence.ts';
import { collectVerdicts, type Verdict } from '../resolve/verdict.ts';
import type { PresentObject } from '../store/world.ts';
import type { KeptObject } from './kept-object.ts';
import { OWNER_LABEL } from './ownership.ts';
import { type RivalContext, rivalsAmong, rivalVerdicts } from './rivals.ts';
import { type PolicyUptake, toldByProxies } from './told-by-proxies.ts';

/** Which view something is from. */
export interface ViewOrigin {
  /** The collection of translations. */
  readonly stage: string;
  /** The view's key among those of its kind. */
  readonly view: Key;
}

/** An object as one view came to it, and what that view is about. */
export interface Proposal extends KeptObject, ViewOrigin {
  readonly target: Verdict['target'];
}

/** What proposes objects: a view's translation, or what was put together from the parts of several. */
export interface Proposing {
  readonly proposals: readonly Proposal[];
}

/** The key of an object among those of all clusters. */
export function desiredKey(
  cluster: string,
  kind: Pick<ResourceKind, 'group' | 'kind'>,
  namespace: string,
  name: string,
): Key {
  return key(cluster, kind.group, kind.kind, namespace, name);
}

/** What there is beside the proposals. */
export interface DesiredContext {
  /** What clusters have. */
  readonly present: Collection<PresentObject>;
  /** Patches of users' objects, which nothing else has the names of. */
  readonly patches: Collection<KeptObject>;
  readonly meshes: Collection<MeshFacts>;
  readonly destinations: RivalContext['destinations'];
  readonly plugins: readonly LoadedPlugin[];
  /** The management namespace: the value of the owner label. */
  readonly owner: string;
}

export interface ChosenObjects {
  readonly desired: Collection<KeptObject>;
  /** What there was to choose from, under the objects' keys in `desired`; for readers outside the graph. */
  readonly proposals: Collection<Group<Proposal>>;
  /** What was withheld, or is not alone. */
  readonly losses: Collection<readonly OutputLoss[]>;
  readonly verdicts: readonly Collection<Verdict>[];
  readonly uptake: Collection<PolicyUptake>;
}

/**
 * Takes one object of each name. Views may come to the same object (two control planes with one root namespace do): it is written once, for
 * the policies of all. Where they differ the first has it, in the order of `proposing` and then by key. An object of the user's is never touched: ours is
 * withheld where both have one name or claim what only one can have.
 */
export function chooseDesired(
  graph: Graph,
  proposing: ReadonlyArray<Collection<Proposing>>,
  { present, patches, meshes, destinations, plugins, owner }: DesiredContext,
): ChosenObjects {
  // Our own objects come and go here with every output, and are none of the choice's business.
  const foreign = graph.derive('output/foreign', present, (found) =>
    found.object.value.metadata.labels?.[OWNER_LABEL] === owner ? undefined : found,
  );
  const rivalsOf = rivalsAmong(graph, { foreign, meshes, destinations, plugins });
  const { made: choices, parts } = graph.gather<Proposing | PresentObject | KeptObject, Candidate, Choice>(
    'output/choices',
    [...proposing, foreign, patches],
    (given, _read, at): ReadonlyArray<readonly [Key, Candidate]> => {
      if ('proposals' in given) return given.proposals.map((one) => [nameOf(one), one]);
      return [[at, 'body' in given ? given : FOREIGN]];
    },
    (candidates, read) => {
      const [first] = candidates;
      if (candidates.length === 1 && isPatch(first)) return first;
      const group = candidates.filter(isProposal);
      if (group.length === 0) return undefined;
      if (group.length < candidates.length)
        return { lost: group.map((one) => ({ one, state: 'CONFLICT', report: foreignReport(one) })) };
      const agreed = agreeing(group);
      const rivals = rivalsOf(agreed[0], read);
      const rivalled =
        rivals.length === 0
          ? NONE
          : agreed.flatMap((one) => rivalVerdicts(one, rivals).map((verdict) => ({ one, ...verdict })));
      if (rivals[0]?.effect === 'withheld') return { lost: rivalled };
      const chosen = forAll(agreed);
      if (agreed.length === group.length) return rivalled.length === 0 ? chosen : { chosen, lost: rivalled };
      const clashing = group.filter((one) => !agreed.includes(one));
      const clashes = clashing.map((one): OutputLoss => ({ one, state: 'CONFLICT', report: clashReport(one) }));
      return { chosen, lost: [...rivalled, ...clashes] };
    },
  );
  const desired = graph.derive('output/desired', choices, (choice) => (isUndisputed(choice) ? choice : choice.chosen));
  const losses = graph.derive('output/losses', choices, (choice) => (isUndisputed(choice) ? undefined : choice.lost));
  const verdicts = collectVerdicts(graph, 'output/verdicts', losses, (lost) =>
    lost.flatMap(({ one, state, report }) =>
      one.because.map((policy): Verdict => ({ policy, target: one.target, state, reports: [report] })),
    ),
  );
  // Of a proposal everything is kept; patches are of nobody's proxies.
  const told = toldByProxies(graph, { present, desired }, (one) => (one as Partial<Proposal>).target);
  return {
    desired,
    proposals: proposalsAmong(parts),
    losses,
    verdicts: [verdicts, told.verdicts],
    uptake: told.uptake,
  };
}

const NONE: readonly never[] = [];

/** Stands among the proposals of a name for an object that is there and not ours. */
const FOREIGN = 'foreign';

type Candidate = Proposal | KeptObject | typeof FOREIGN;

function isProposal(candidate: Candidate): candidate is Proposal {
  return candidate !== FOREIGN && 'view' in candidate;
}

function isPatch(candidate: Candidate | undefined): candidate is KeptObject {
  return candidate !== undefined && candidate !== FOREIGN && !isProposal(candidate);
}

function proposalsAmong(candidates: Collection<Group<Candidate>>): Collection<Group<Proposal>> {
  const get = (name: Key): Group<Proposal> | undefined => {
    const group = candidates.get(name)?.filter(isProposal) ?? [];
    return group.length === 0 ? undefined : group;
  };
  const entries = (): Array<readonly [Key, Group<Proposal>]> =>
    [...candidates.entries()].flatMap(([name]) => {
      const group = get(name);
      return group === undefined ? [] : [[name, group] as const];
    });
  return {
    name: 'output/proposals',
    get,
    has: (name) => get(name) !== undefined,
    entries: () => entries().values(),
    get size() {
      return entries().length;
    },
  };
}

/** What became of the proposals of one name: the chosen one bare where there is nothing to tell, as there seldom is. */
type Choice = KeptObject | { readonly chosen?: KeptObject; readonly lost: readonly OutputLoss[] };

function isUndisputed(choice: Choice): choice is KeptObject {
  return 'body' in choice;
}

/** What the policies behind a proposal are told. */
export interface OutputLoss {
  readonly one: Proposal;
  readonly state: PolicyState;
  readonly report: Report;
}

/** The object that all these proposals are, for the policies of all. */
function forAll(agreed: readonly [Proposal, ...Proposal[]]): KeptObject {
  const [first] = agreed;
  if (agreed.length === 1) return first;
  return { ...first, because: mergeRefs(...agreed.map((one) => one.because)).toSorted(compareRefs) };
}

function nameOf({ cluster, kind, body }: Proposal): Key {
  const { namespace = '', name } = body.value.metadata;
  return desiredKey(cluster, kind, namespace, name);
}

/** The first, and those that come to the same object. Groups are never empty. */
function agreeing(group: Group<Proposal>): readonly [Proposal, ...Proposal[]] {
  if (group.length === 1) return group as readonly [Proposal];
  const [first, ...others] = group as readonly [Proposal, ...Proposal[]];
  return [first, ...others.filter((one) => one.plugin === first.plugin && deepEqual(one.body, first.body))];
}

function foreignReport(one: Proposal): Report {
  const { kind } = one.kind;
  const { namespace = '', name } = one.body.value.metadata;
  return {
    code: 'OBJECT_EXISTS',
    severity: 'error',
    message: `${kind} ${namespace}/${name} of cluster ${one.cluster} is there and not ours, so it is left as it is; rename it, or label it ${OWNER_LABEL} to hand it over`,
    related: [{ kind, namespace, name, cluster: one.cluster }],
  };
}

function clashReport(one: Proposal): Report {
  const { namespace = '', name } = one.body.value.metadata;
  return {
    code: 'OUTPUT_CLASH',
    severity: 'error',
    message: `plugin ${one.plugin} writes ${one.kind.kind} ${namespace}/${name} of cluster ${one.cluster} twice, with different contents; report it to the plugin's author`,
  };
}
