/** The translate stage: plugins translate views into the objects of each cluster. */
import type { PolicyRef } from '@meshrelay/api';
import {
  type Collection,
  type Group,
  groupOf,
  type Key,
  key,
  type NativeObject,
  type NativeObjectRef,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import { Packed } from '../packed/packed.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { collectDiagnostics, type Diagnostic, orderText, type Resolved } from '../resolve/mod.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import { attempt, type Outcomes, sourcePoliciesOf } from './attempts.ts';
import { desiredKey } from './desired-key.ts';
import { outputHead } from './packed-output.ts';
import { type PackedProposal, type Proposing, proposalsOf } from './packed-proposal.ts';
import type { PatchProposal } from './patch-proposal.ts';
import type { Contribution } from './recorder.ts';
import type { ViewOrigin } from './view-origin.ts';
import { type PlacedTranslation, runStage, stagedViews, type ViewStage } from './view-stages.ts';

/** What a view contributes to an object. */
export type Contributed = Contribution & Pick<PlacedTranslation, 'plugin' | 'target'> & ViewOrigin;

/** What plugins propose for all views. */
export interface Translated {
  /** Where proposals come from, by precedence: if two differ on one object, the first wins. */
  readonly proposing: ReadonlyArray<Collection<Proposing>>;
  /** For objects that several views contribute to, under `desiredKey`, in the order of their slots. */
  readonly contributions: Collection<Group<Contributed>>;
  /** Fields of user-owned objects that should have another value. */
  readonly patches: Collection<PatchProposal>;
  /** Diagnostics about objects that could not be assembled from contributions. */
  readonly assemblyDiagnostics: Collection<Diagnostic>;
  /** Diagnostics about views, in the order of reporting. */
  readonly viewDiagnostics: readonly Collection<Diagnostic>[];
}

/** Adds the stage to a graph. */
export function translate(graph: Graph, resolved: Resolved, plugins: readonly LoadedPlugin[]): Translated {
  const byType = new Map(plugins.map((loaded) => [loaded.plugin.name, loaded]));
  const stage = <V>(views: Collection<V>, kind: ViewStage<V>): Outcomes<ProposingTranslation> =>
    attempt(
      graph,
      kind.name,
      views,
      (view, viewKey) => {
        const loaded = byType.get(kind.meshOf(view).type);
        return loaded && proposing(runStage(kind, view, loaded), loaded, { stage: kind.name, view: viewKey });
      },
      {
        about: (view) => ({
          plugin: kind.meshOf(view).type,
          target: kind.targetOf(view),
          policies: sourcePoliciesOf(view),
        }),
        reuse: withKnownProposals,
      },
    );
  const stages = stagedViews(resolved).map(({ stage: kind, views }, position): Staged => {
    const { outputs, diagnostics } = stage(views, kind);
    return { name: kind.name, position: orderText(position), outputs, diagnostics };
  });
  const contributions = contributionsByObject(graph, stages);
  const whole = assembled(graph, contributions, byType);
  return {
    proposing: [...stages.map(({ outputs }) => outputs), whole.outputs],
    contributions,
    patches: graph.join(
      'output/all-patches',
      stages.map((one) => patched(graph, one)),
    ),
    assemblyDiagnostics: whole.diagnostics,
    viewDiagnostics: stages.flatMap((one) => [one.diagnostics, translationRejections(graph, one)]),
  };
}

/** Result for one view: the proposed objects; further results only if there are any. */
type ProposingTranslation = readonly PackedProposal[] | RichTranslation;

interface RichTranslation {
  readonly proposals: readonly PackedProposal[];
  readonly besides: Omit<PlacedTranslation, 'emissions'>;
}

/** The translations of one kind of view. */
interface Staged extends Outcomes<ProposingTranslation> {
  /** The name of the stage. */
  readonly name: string;
  /** Its position among the kinds, as a part of keys. */
  readonly position: string;
}

function proposing(
  { plugin: name, target, emissions, contributions, patches, rejected }: PlacedTranslation,
  { plugin }: LoadedPlugin,
  from: ViewOrigin,
): ProposingTranslation {
  const proposals = emissions.map(({ cluster, kind, object, sourcePolicies }): PackedProposal => {
    return new Packed({ cluster, object, target, ...from }, outputHead(plugin, kind, sourcePolicies));
  });
  if (contributions.length + patches.length + rejected.length === 0) return proposals;
  return { proposals, besides: { plugin: name, target, contributions, patches, rejected } };
}

/**
 * Usually one object of a view has changed. The others stay identical to those stored under their names, and are packed
 * there.
 */
function withKnownProposals(before: ProposingTranslation, after: ProposingTranslation): ProposingTranslation {
  const known = proposalsOf(before);
  const proposals = proposalsOf(after).map((one, nth) => {
    const same = known[nth];
    return same !== undefined && deepEqual(same, one) ? same : one;
  });
  return 'besides' in after ? { proposals, besides: after.besides } : proposals;
}

function besidesOf(translation: ProposingTranslation): RichTranslation['besides'] | undefined {
  return 'besides' in translation ? translation.besides : undefined;
}

const NONE: readonly never[] = [];

function patched(graph: Graph, { name, position: stage, outputs }: Staged): Collection<PatchProposal> {
  return graph.deriveMany(
    `output/patches/${name}`,
    outputs,
    (translation, _read, viewKey): ReadonlyArray<readonly [Key, PatchProposal]> => {
      const besides = besidesOf(translation);
      if (besides === undefined) return NONE;
      const { patches, plugin, target } = besides;
      return patches.map((patch, position) => [key(stage, viewKey, orderText(position)), { ...patch, plugin, target }]);
    },
  );
}

/** Contributions to objects that several views build, in the order of the slots. */
function contributionsByObject(graph: Graph, stages: readonly Staged[]): Collection<Group<Contributed>> {
  const contributions = graph.join(
    'output/contributions',
    stages.map(({ name, position: stage, outputs }) =>
      graph.deriveMany(
        `output/contributions/${name}`,
        outputs,
        (translation, _read, viewKey): ReadonlyArray<readonly [Key, Contributed]> => {
          const besides = besidesOf(translation);
          if (besides === undefined) return NONE;
          const { contributions: list, plugin, target } = besides;
          return list.map((contribution, position) => [
            key(stage, viewKey, orderText(position)),
            { ...contribution, plugin, target, stage: name, view: viewKey },
          ]);
        },
      ),
    ),
  );
  return graph.group(
    'output/parts',
    contributions,
    (contribution): Array<readonly [Key, Contributed]> => [[refKey(contribution.to), contribution]],
    (a, b) => (a.part.slot < b.part.slot ? -1 : a.part.slot > b.part.slot ? 1 : 0),
  );
}

/** Objects assembled from their contributions. */
function assembled(
  graph: Graph,
  parts: Collection<Group<Contributed>>,
  byType: ReadonlyMap<string, LoadedPlugin>,
): Outcomes<Proposing> {
  const build = (group: Group<Contributed>): Proposing | undefined => {
    const [first] = group;
    const loaded = first === undefined ? undefined : byType.get(first.plugin);
    const object = loaded === undefined ? undefined : assemble(loaded, group);
    if (first === undefined || loaded === undefined || object === undefined) return undefined;
    const { to, target, stage, view } = first;
    const body = { cluster: to.cluster, object, target, stage, view };
    return [new Packed(body, outputHead(loaded.plugin, to.kind, sourcePoliciesFor(group)))];
  };
  return attempt(graph, 'output/assembled', parts, build, {
    about: (group) => {
      // Groups are never empty.
      const [{ plugin, target }] = group as readonly [Contributed];
      return { plugin, target, policies: sourcePoliciesFor(group) };
    },
  });
}

function sourcePoliciesFor(group: Group<Contributed>): readonly PolicyRef[] {
  return mergeRefs(...group.map(({ sourcePolicies }) => sourcePolicies)).toSorted(compareRefs);
}

/**
 * The object assembled from these contributions, in the order of their slots; undefined without any, or if the plugin
 * has no assembler.
 */
export function assemble(
  { plugin, settings }: LoadedPlugin,
  group: ReadonlyArray<Contribution & { readonly plugin: string }>,
): NativeObject | undefined {
  const [first] = group;
  if (first === undefined || plugin.assemble === undefined) return undefined;
  const object = plugin.assemble(
    first.to,
    group.map(({ part }) => part),
    settings,
  );
  refuseOther(object, first);
  return object;
}

/** @throws Error if a plugin assembles another object than the requested one, which would bypass every check */
function refuseOther(object: Partial<NativeObject> | null | undefined, { to }: Contribution): void {
  const requested = `${to.kind.kind}.${to.kind.group} ${to.namespace}/${to.name}`;
  const { apiVersion = '', kind, metadata } = object ?? {};
  const given =
    metadata === undefined
      ? 'no object'
      : `${kind}.${groupOf(apiVersion)} ${metadata.namespace ?? ''}/${metadata.name}`;
  if (given !== requested) throw new Error(`asked to assemble ${requested}, it gave ${given}`);
}

function refKey({ cluster, kind, namespace, name }: NativeObjectRef): Key {
  return desiredKey(cluster, kind, namespace, name);
}

function translationRejections(graph: Graph, { name, outputs }: Staged): Collection<Diagnostic> {
  return collectDiagnostics(graph, `${name}/diagnostics`, outputs, (translation) => {
    const besides = besidesOf(translation);
    if (besides === undefined) return NONE;
    const { rejected, target } = besides;
    return rejected.flatMap(({ policies, state, report }) =>
      policies.map((policy): Diagnostic => ({ policy, state, reports: [report], target })),
    );
  });
}
