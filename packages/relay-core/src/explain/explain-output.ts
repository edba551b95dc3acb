/** Where an object of a cluster comes from: its views, and the source policies of each field. */

import type { Key, NativeObject } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import type { Proposal } from '../output/mod.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { type Diagnostic, targetRef } from '../resolve/mod.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import {
  assemble,
  type Contributed,
  desiredKey,
  record,
  stagedViews,
  type ViewOrigin,
  type ViewStage,
} from '../translate/mod.ts';
import type { ExplainContext } from './context.ts';
import { differingPaths } from './differing-paths.ts';
import type { FieldOrigin, OutputExplanation, OutputSource } from './document.ts';
import { patchesOf, unappliedPatch } from './explain-patches.ts';
import { meshPlace, outputPlace } from './places.ts';
import { viewParts } from './view-parts.ts';

/** The maximum number of parts of a view that are tried: each costs a translation of the whole view. */
const MAX_PARTS = 500;

/** Undefined if no view generates an object of this key. */
export function explainOutput(
  plane: ControlPlane,
  output: Key,
  { rejectionOf }: ExplainContext = {},
): OutputExplanation | undefined {
  const proposals = plane.origins.proposals.get(output) ?? [];
  const desired = plane.desired.get(output);
  const patches = patchesOf(plane, output);
  const first = proposals[0] ?? desired ?? unappliedPatch(plane, output);
  if (first === undefined) return undefined;
  const rejected = rejectionOf?.(first.cluster, output);
  const parts = plane.origins.contributions.get(output) ?? [];
  const origins: readonly (Proposal | Contributed)[] = parts.length > 0 ? parts : proposals;
  return {
    about: 'output',
    object: outputPlace(first),
    plugin: first.plugin,
    written: desired !== undefined,
    sourcePolicies:
      desired?.sourcePolicies ??
      mergeRefs(first.sourcePolicies, ...proposals.map(({ sourcePolicies }) => sourcePolicies)).toSorted(compareRefs),
    sources: distinctViews(origins).flatMap((origin) => sourceOf(plane, output, origin, parts) ?? []),
    notApplied: (plane.origins.rejected.get(output) ?? []).flatMap(({ one, state, report }) =>
      one.about.sourcePolicies.map((policy) => ({ policy, state, report })),
    ),
    ...(patches.length === 0 ? {} : { patches }),
    ...(rejected === undefined ? {} : { rejected }),
    content: (desired ?? first).object,
  };
}

type Origin = ViewOrigin & { readonly target: Diagnostic['target'] };

function distinctViews(origins: readonly Origin[]): Origin[] {
  return [...new Map(origins.map((origin) => [`${origin.stage} ${origin.view}`, origin])).values()];
}

function sourceOf(
  plane: ControlPlane,
  output: Key,
  origin: Origin,
  contributions: readonly Contributed[],
): OutputSource | undefined {
  const found = stagedViews(plane.resolved).find(({ stage }) => stage.name === origin.stage);
  const view = found?.views.get(origin.view);
  if (found === undefined || view === undefined) return undefined;
  const mesh = found.stage.meshOf(view);
  const loaded = plane.plugins.find(({ plugin }) => plugin.name === mesh.type);
  if (loaded === undefined) return undefined;
  const others = contributions.filter((one) => one.stage !== origin.stage || one.view !== origin.view);
  const rerun = (changed: unknown): Share => shareOf(found.stage, changed, { loaded, output, others });
  const supported = found.stage.strip(view, loaded).view;
  const all = viewParts(supported);
  return {
    view: origin.stage.replace(/^translate\//, ''),
    target: targetRef(origin.target),
    mesh: meshPlace(mesh),
    fields: fieldOrigins(all.slice(0, MAX_PARTS), rerun(supported), rerun),
    ...(all.length > MAX_PARTS ? { untried: all.length - MAX_PARTS } : {}),
    shared: others.length > 0,
  };
}

/** The share of a view in one object. */
interface Share {
  /** The object, with the contributions of other views. */
  readonly object?: NativeObject | undefined;
  /** The view's own contributions. */
  readonly own: ReadonlyArray<Contributed['part']>;
}

/** If a plugin throws when a part of a view is missing, the object comes from that part. */
function shareOf(
  stage: ViewStage<unknown>,
  view: unknown,
  {
    loaded,
    output,
    others,
  }: { readonly loaded: LoadedPlugin; readonly output: Key; readonly others: readonly Contributed[] },
): Share {
  try {
    const { emissions, contributions } = record(loaded, stage.meshOf(view).cluster, [], (out) =>
      stage.translate(loaded, view, out),
    );
    const emitted = emissions.find(
      ({ cluster, kind, object: { metadata } }) =>
        desiredKey(cluster, kind, metadata.namespace ?? '', metadata.name) === output,
    );
    if (emitted !== undefined) return { object: emitted.object, own: [] };
    const own = contributions
      .filter(({ to }) => desiredKey(to.cluster, to.kind, to.namespace, to.name) === output)
      .map((contribution) => ({ ...contribution, plugin: loaded.plugin.name }));
    const parts = [...own, ...others].sort((a, b) =>
      a.part.slot < b.part.slot ? -1 : a.part.slot > b.part.slot ? 1 : 0,
    );
    return { object: assemble(loaded, parts), own: own.map(({ part }) => part) };
  } catch {
    return { own: [] };
  }
}

/**
 * Leaves out one part after the other and compares the objects. A field that two views contribute is missing in neither
 * comparison, although both contributed it.
 */
function fieldOrigins(
  parts: ReturnType<typeof viewParts<unknown>>,
  whole: Share,
  rerun: (view: unknown) => Share,
): FieldOrigin[] {
  if (whole.object === undefined) return [];
  return parts.flatMap(({ path: _path, without, ...given }) => {
    const rest = rerun(without());
    const lost = rest.object === undefined ? [''] : differingPaths(whole.object, rest.object);
    const paths = lost.length === 0 && !deepEqual(whole.own, rest.own) ? [''] : lost;
    return paths.length === 0 ? [] : [{ ...given, paths }];
  });
}
