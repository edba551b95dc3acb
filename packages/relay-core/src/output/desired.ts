/** What every cluster is to have: one object of each name, ours alone. */
import type { PolicyRef, Report } from '@meshrelay/api';
import type { Collection, Graph, Group } from '../graph/collection.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import { type Key, key } from '../graph/key.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { NativeObject } from '../plugin/contract.ts';
import { compareRefs, mergeRefs } from '../resolve/precedence.ts';
import { collectVerdicts, type Verdict } from '../resolve/verdict.ts';
import type { PresentObject } from '../store/world.ts';
import { OWNER_LABEL, owned } from './ownership.ts';

/** An object that belongs in a cluster. */
export interface DesiredObject {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly plugin: string;
  readonly object: NativeObject;
  /** Every policy the object is there for, each once, in the order of {@link compareRefs}. */
  readonly because: readonly PolicyRef[];
}

/** An object as one view came to it, without our marks, and what that view is about. */
export interface Proposal extends DesiredObject {
  readonly target: Verdict['target'];
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

/**
 * Takes one object of each name. Views may come to the same object (two control planes with one root namespace do): it is written once, for
 * the policies of all. Where they differ the first by key has it. An object of the user's is never touched: ours is withheld.
 */
export function chooseDesired(
  graph: Graph,
  proposals: Collection<Proposal>,
  present: Collection<PresentObject>,
  owner: string,
): { readonly desired: Collection<DesiredObject>; readonly verdicts: Collection<Verdict> } {
  const byName = graph.group(
    'output/proposals',
    proposals,
    (proposal): Array<readonly [Key, Proposal]> => [[nameOf(proposal), proposal]],
  );
  const desired = graph.derive('output/desired', byName, (group, read, name): DesiredObject | undefined => {
    const [first] = group;
    if (first === undefined || isForeign(read.get(present, name), owner)) return undefined;
    const { cluster, kind, plugin, object } = first;
    const because =
      group.length === 1
        ? first.because
        : mergeRefs(...agreeing(group).map((one) => one.because)).toSorted(compareRefs);
    return { cluster, kind, plugin, object: owned(object, owner, plugin, because), because };
  });
  const losses = graph.derive('output/losses', byName, (group, read, name) => {
    if (isForeign(read.get(present, name), owner)) return group.map((one) => ({ one, report: foreignReport(one) }));
    const agreed = new Set(agreeing(group));
    const lost = group.filter((one) => !agreed.has(one)).map((one) => ({ one, report: clashReport(one) }));
    return lost.length === 0 ? undefined : lost;
  });
  const verdicts = collectVerdicts(graph, 'output/verdicts', losses, (lost) =>
    lost.flatMap(({ one, report }) =>
      one.because.map((policy): Verdict => ({ policy, target: one.target, state: 'CONFLICT', reports: [report] })),
    ),
  );
  return { desired, verdicts };
}

function nameOf({ cluster, kind, object: { metadata } }: Proposal): Key {
  return desiredKey(cluster, kind, metadata.namespace ?? '', metadata.name);
}

function agreeing(group: Group<Proposal>): readonly Proposal[] {
  const [first] = group;
  return group.filter((one) => one === first || (one.plugin === first?.plugin && deepEqual(one.object, first.object)));
}

function isForeign(found: PresentObject | undefined, owner: string): boolean {
  return found !== undefined && found.object.metadata.labels?.[OWNER_LABEL] !== owner;
}

function foreignReport(one: Proposal): Report {
  const { namespace = '', name } = one.object.metadata;
  return {
    code: 'OBJECT_EXISTS',
    severity: 'error',
    message: `${one.object.kind} ${namespace}/${name} of cluster ${one.cluster} is there and not ours, so it is left as it is; rename it, or label it ${OWNER_LABEL} to hand it over`,
    related: [{ kind: one.object.kind, namespace, name, cluster: one.cluster }],
  };
}

function clashReport(one: Proposal): Report {
  const { namespace = '', name } = one.object.metadata;
  return {
    code: 'OUTPUT_CLASH',
    severity: 'error',
    message: `plugin ${one.plugin} writes ${one.object.kind} ${namespace}/${name} of cluster ${one.cluster} twice, with different contents; report it to the plugin's author`,
  };
}
