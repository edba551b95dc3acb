/** Patches of the user's own objects: sent where Settings consents, else told to the policies that ask for them. */
import type { JsonValue, PolicyRef, PolicyState, Report, SettingsSpec } from '@meshrelay/api';
import type { Collection, Graph, Group } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import { Packed } from '../packed/packed.ts';
import { fulfils, type PatchRequest, type PatchWish } from '../plugin/patches.ts';
import { compareRefs, mergeRefs } from '../resolve/precedence.ts';
import { collectVerdicts, type Verdict } from '../resolve/verdict.ts';
import { SETTINGS_KEY } from '../store/world.ts';
import { desiredKey } from './desired.ts';
import type { KeptObject } from './kept-object.ts';
import { OBJECT_PATCH, objectPatch } from './object-patch.ts';

/** A patch as one view asked for it, and what that view is about. */
export interface PatchProposal {
  readonly request: PatchRequest;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly plugin: string;
  readonly because: readonly PolicyRef[];
  readonly target: Verdict['target'];
}

export interface ChosenPatches {
  readonly desired: Collection<KeptObject>;
  /** Who asked for each patch, sent or not, under its key in `desired`; for readers outside the graph. Groups are never empty. */
  readonly proposals: Collection<Group<PatchProposal>>;
  readonly verdicts: Collection<Verdict>;
}

interface PatchContext {
  readonly settings: Collection<SettingsSpec>;
}

/** Takes one wish for each field: lists get the members of all; of values that differ the first by key has the field. */
export function choosePatches(
  graph: Graph,
  proposals: Collection<PatchProposal>,
  { settings }: PatchContext,
): ChosenPatches {
  const byField = graph.group(
    'output/patch-proposals',
    proposals,
    (proposal): Array<readonly [Key, PatchProposal]> => [[keyOf(proposal), proposal]],
  );
  const choices = graph.derive('output/patch-choices', byField, (group, read): Choice => {
    const { wish, agreed, others } = agreedOn(group);
    const clashes = others.map((one): Told => ({ one, state: 'CONFLICT', report: clashReport(one, wish, agreed) }));
    if (!consents(read.get(settings, SETTINGS_KEY), agreed[0].consent)) {
      const waiting = agreed.filter(({ request }) => !fulfils(request.current, request.wish));
      return {
        told: [...waiting.map((one): Told => ({ one, state: 'DEGRADED', report: consentReport(one) })), ...clashes],
      };
    }
    return { chosen: patchOf(agreed, wish), told: clashes };
  });
  const desired = graph.derive('output/patches', choices, ({ chosen }) => chosen);
  const verdicts = collectVerdicts(graph, 'output/patch-verdicts', choices, ({ told }) =>
    told.flatMap(({ one: { because, target }, state, report }) =>
      because.map((policy): Verdict => ({ policy, target, state, reports: [report] })),
    ),
  );
  return { desired, proposals: byField, verdicts };
}

interface Told {
  readonly one: PatchProposal;
  readonly state: PolicyState;
  readonly report: Report;
}

interface Choice {
  readonly chosen?: KeptObject;
  readonly told: readonly Told[];
}

type Some = readonly [PatchProposal, ...PatchProposal[]];

function keyOf({ request: { object, fieldPath, wish } }: PatchProposal): Key {
  return desiredKey(object.cluster, OBJECT_PATCH, object.namespace, objectPatch(object, fieldPath, wish).metadata.name);
}

/** Groups are never empty. */
function agreedOn(group: Group<PatchProposal>): {
  readonly wish: PatchWish;
  readonly agreed: Some;
  readonly others: readonly PatchProposal[];
} {
  const [first, ...rest] = group as unknown as Some;
  const agrees = ({ request: { wish } }: PatchProposal): boolean =>
    'include' in first.request.wish ? 'include' in wish : 'set' in wish && fulfils(wish.set, first.request.wish);
  const agreed: Some = [first, ...rest.filter(agrees)];
  const others = rest.filter((one) => !agrees(one));
  if ('set' in first.request.wish) return { wish: first.request.wish, agreed, others };
  const members = agreed.flatMap(({ request: { wish } }) => ('include' in wish ? wish.include : []));
  return { wish: { include: [...new Set(members)].sort() }, agreed, others };
}

function patchOf(agreed: Some, wish: PatchWish): KeptObject {
  const [{ request, plugin }] = agreed;
  const because = mergeRefs(...agreed.map((one) => one.because)).toSorted(compareRefs);
  const object = objectPatch(request.object, request.fieldPath, wish);
  return new Packed({ cluster: request.object.cluster, object }, { kind: OBJECT_PATCH, plugin, because });
}

/** Whether a field of Settings is true. @param path from the object on: `spec.…` */
export function consents(spec: SettingsSpec | undefined, path: string): boolean {
  let value: unknown = { spec };
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === true;
}

function consentReport({ request, consent }: PatchProposal): Report {
  const { object, fieldPath, wish, current, field, without } = request;
  const { kind, namespace, name, cluster } = object;
  const now = current === undefined ? '' : current === null ? ' (not set now)' : ` (now ${JSON.stringify(current)})`;
  return {
    code: 'NEEDS_CONSENT',
    severity: 'warning',
    field,
    message: `${without}: field ${fieldPath} of ${kind.kind} ${namespace}/${name} of cluster ${cluster} is to ${wishText(wish)}${now}; that object is yours, so set ${consent}: true in Settings to have it done, or do it yourself`,
    related: [{ kind: kind.kind, namespace, name, cluster }],
  };
}

function clashReport({ request }: PatchProposal, wish: PatchWish, [{ because: winners }]: Some): Report {
  const { kind, namespace, name, cluster } = request.object;
  return {
    code: 'CONFLICT',
    severity: 'error',
    field: request.field,
    message: `field ${request.fieldPath} of ${kind.kind} ${namespace}/${name} of cluster ${cluster} is wanted to ${wishText(request.wish)}, and to ${wishText(wish)} already`,
    related: [...winners],
  };
}

function wishText(wish: PatchWish): string {
  const text = (value: JsonValue): string => JSON.stringify(value);
  return 'set' in wish ? `be ${text(wish.set)}` : `have ${wish.include.map(text).join(', ')}`;
}
