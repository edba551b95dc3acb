/**
 * The properties of the whole product. Each throws an Error that describes the violation; a history that violates one
 * is a bug.
 */
import { isMeshrelayGroup, type Policy, policyKinds } from '@meshrelay/api';
import type { CrdValidator } from '@meshrelay/plugin-kit';
import {
  type ControlPlane,
  canonicalJson,
  groupOf,
  isManaged,
  OBJECT_PATCH,
  type ObjectPatchSpec,
  readObjectPatch,
} from '@meshrelay/relay-core';
import type { Event, Placed } from '../fleets/fleet.ts';
import { RunningFleet } from '../fleets/running-fleet.ts';
import { fromScratch, ledgerOf, saidBy, stateAfter } from '../fleets/state.ts';
import { refId } from './effects.ts';

/** The input of a property: a replayed history, and its result. */
export interface Lived {
  readonly history: readonly Event[];
  readonly state: readonly Placed[];
  readonly fleet: RunningFleet;
}

/** Replays a history; calls `after` after each event, the first being the initial fleet. */
export function live(history: readonly Event[], after: (lived: Lived) => void = () => {}): Lived {
  const fleet = new RunningFleet();
  const lived: Event[] = [];
  for (const event of history) {
    fleet.live(event);
    lived.push(event);
    after({ history: lived, state: stateAfter(lived), fleet });
  }
  return { history, state: stateAfter(history), fleet };
}

/**
 * Incremental processing gives the same result as processing everything at once with the same decisions, byte for byte.
 */
export function incrementalIsFromScratch({ state, fleet }: Lived): void {
  refuse('faults', fleet.faults());
  sameLines('step by step', saidBy(fleet.plane), 'all at once', saidBy(fromScratch(state, ledgerOf(fleet.plane))));
}

/** The order in which objects arrive does not matter. `weights` shuffle them. */
export function orderDoesNotMatter({ state, fleet }: Lived, weights: (index: number) => number): void {
  const shuffled = state.map((one, index) => ({ one, weight: weights(index) })).sort((a, b) => a.weight - b.weight);
  const other = fromScratch(
    shuffled.map(({ one }) => one),
    ledgerOf(fleet.plane),
  );
  sameLines('as it came', saidBy(fleet.plane), 'shuffled', saidBy(other));
}

/** Sending everything again changes nothing. */
export function resendingChangesNothing({ state, fleet }: Lived): void {
  let changes = 0;
  const unsubscribe = fleet.plane.graph.subscribe(({ size }) => {
    changes += size;
  });
  fleet.live(structuredClone(state).map((one) => ({ ...one, gone: false })));
  unsubscribe();
  if (changes > 0) throw new Error(`telling the same again changed ${changes} things`);
}

/**
 * Every generated object names existing policies, has Meshrelay's label, and does not have the name of a user's object.
 */
export function everyObjectHasItsReason({ state, fleet }: Lived): void {
  const policies = new Set(state.filter(isPolicy).map(policyId));
  const settled = state.some(({ object }) => object.kind === 'Settings');
  const users = new Set(state.map(objectId));
  for (const [, desired] of fleet.plane.desired.entries()) {
    const { cluster, sourcePolicies } = desired;
    const object = { spec: undefined, ...desired.object };
    const id = objectId({ cluster, object });
    if (users.has(id)) throw new Error(`${id} belongs to a user, and a generated object would replace it`);
    if (!isManaged(object)) throw new Error(`${id} does not have the label of generated objects`);
    if (sourcePolicies.length === 0 && !settled) throw new Error(`${id} has no source policy`);
    for (const ref of sourcePolicies)
      if (!policies.has(refId(ref))) throw new Error(`${id} is there for ${refId(ref)}, which is gone`);
  }
}

/**
 * Every object satisfies its mesh's own API, by the schemas that `problemsOf` checks; agents can parse every patch, and
 * it has consent.
 */
export function everyObjectIsTaken({ state, fleet }: Lived, problemsOf: CrdValidator): void {
  for (const [key, { kind, object }] of fleet.plane.desired.entries())
    if (kind === OBJECT_PATCH) consented(key, readObjectPatch(object.spec), state);
    else refuse(`the mesh refuses ${key}`, problemsOf(object));
}

function consented(key: string, patch: ObjectPatchSpec | undefined, state: readonly Placed[]): void {
  if (patch === undefined) throw new Error(`no agent can read ${key}`);
  const settings = state.find(({ cluster, object }) => cluster === '' && object.kind === 'Settings')?.object.spec;
  const { patches = {} } = (settings ?? {}) as { readonly patches?: Record<string, { readonly meshConfig?: boolean }> };
  const mesh = patch.object.kind === 'MeshConfig' ? 'osm' : 'istio';
  if (patches[mesh]?.meshConfig !== true) throw new Error(`Settings do not allow ${key}`);
}

/** Every policy has a status. */
export function everyPolicyIsEvaluated({ state, fleet }: Lived): void {
  const evaluated = new Set([...fleet.plane.statuses.entries()].map(([, { ref }]) => refId(ref)));
  refuse(
    'without a status',
    state
      .filter(isPolicy)
      .map(policyId)
      .filter((id) => !evaluated.has(id)),
  );
}

/**
 * Without policies and settings, no generated object remains, and no patch of users' objects: agents here restore the
 * originals. Ends the fleet's life.
 */
export function nothingRemains({ state, fleet }: Lived): void {
  const operations = state.filter((one) => isPolicy(one) || one.object.kind === 'Settings');
  for (const policy of operations) fleet.live([{ ...policy, gone: true }]);
  refuse(
    'left without a policy',
    [...fleet.plane.desired.entries()].map(([key]) => key),
  );
}

function refuse(what: string, lines: readonly string[]): void {
  if (lines.length > 0) throw new Error(`${what}:\n${lines.slice(0, SHOWN).join('\n')}`);
}

function sameLines(one: string, managed: readonly string[], other: string, unmanaged: readonly string[]): void {
  const [left, right] = [new Set(managed), new Set(unmanaged)];
  const only = (mine: ReadonlySet<string>, not: ReadonlySet<string>, whose: string): string[] =>
    [...mine].filter((line) => !not.has(line)).map((line) => `${whose}: ${line.slice(0, LONG)}`);
  refuse('differences', [...only(left, right, one), ...only(right, left, other)]);
}

const SHOWN = 8;
const LONG = 3000;

/** Objects that get their own status. */
function isPolicy({ object: { apiVersion, kind } }: Placed): boolean {
  return (policyKinds as readonly string[]).includes(kind) && isMeshrelayGroup(groupOf(apiVersion));
}

function policyId({ cluster, object }: Placed): string {
  const { name, namespace = '' } = object.metadata;
  return refId({ kind: object.kind as Policy['kind'], cluster, namespace, name });
}

function objectId({ cluster, object: { apiVersion, kind, metadata } }: Placed): string {
  return canonicalJson([cluster, groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name]);
}

/** Contents of a control plane, to check that the fleets are rich enough. */
export function counter({ desired, statuses }: ControlPlane): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [, { object }] of desired.entries()) add(object.kind);
  for (const [, { status }] of statuses.entries()) {
    add(status.state);
    for (const code of new Set([status, ...status.targets].flatMap(({ reports }) => reports.map((one) => one.code))))
      add(code);
  }
  return counts;
}
