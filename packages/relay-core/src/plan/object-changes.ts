/** The objects that would be written or deleted, with their policies. */
import type { ResourceRef } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { outputPlace } from '../explain/mod.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import { type Diagnostic, targetRef } from '../resolve/mod.ts';
import { policyKey } from '../store/fleet-state.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import type { ObjectChange } from './document.ts';
import { fieldChanges } from './field-changes.ts';

type Translated = Pick<ControlPlane, 'desired' | 'origins'>;

/**
 * By cluster, kind, namespace and name.
 * @param isOther whether a policy itself changes
 */
export function objectChanges(
  before: Translated,
  after: Translated,
  isOther: (policy: Key) => boolean,
): ObjectChange[] {
  const keys = new Set<Key>();
  for (const { desired } of [before, after]) for (const [output] of desired.entries()) keys.add(output);
  return [...keys].sort().flatMap((output) => objectChange(before, after, output, isOther) ?? []);
}

function objectChange(
  before: Translated,
  after: Translated,
  output: Key,
  isOther: (policy: Key) => boolean,
): ObjectChange | undefined {
  const [old, now] = [before.desired.get(output), after.desired.get(output)];
  const [was, is] = [old?.object, now?.object];
  const one = now ?? old;
  if (one === undefined || deepEqual(was, is)) return undefined;
  const sourcePolicies = mergeRefs(old?.sourcePolicies ?? [], now?.sourcePolicies ?? []).toSorted(compareRefs);
  const both = was !== undefined && is !== undefined;
  return {
    ...outputPlace(one),
    change: was === undefined ? 'created' : is === undefined ? 'deleted' : 'changed',
    sourcePolicies,
    causedBy: sourcePolicies.filter((policy) => isOther(policyKey(policy))),
    targets: both ? targetsOfChange(before, after, output) : targetsOf(was === undefined ? after : before, output),
    fields: both ? fieldChanges(was, is) : [],
  };
}

/** For an object that many views share, the targets whose part changes; for any other object, all targets. */
function targetsOfChange(before: Translated, after: Translated, output: Key): ResourceRef[] {
  const [old, now] = [partsOf(before, output), partsOf(after, output)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
    const [was, is] = [old.get(id), now.get(id)];
    return deepEqual(was?.share, is?.share) ? [] : ((is ?? was)?.target ?? []);
  });
  return distinct(changed.length > 0 ? changed : [...old.values(), ...now.values()].map(({ target }) => target));
}

function targetsOf(plane: Translated, output: Key): ResourceRef[] {
  return distinct([...partsOf(plane, output).values()].map(({ target }) => target));
}

interface Share {
  readonly target: Diagnostic['target'];
  /** Its own part in the object. */
  readonly share: unknown;
}

/** The part of each view, or of each policy's patch, in an object, by a key that identifies it. */
function partsOf({ origins }: Translated, output: Key): Map<string, Share> {
  const contributed = origins.contributions.get(output) ?? [];
  const proposed = contributed.length > 0 ? [] : (origins.proposals.get(output) ?? []);
  return new Map<string, Share>([
    ...contributed.map(({ stage, view, part, sourcePolicies, target }) => {
      return [`${stage} ${view} ${part.slot}`, { target, share: { part, sourcePolicies } }] as const;
    }),
    ...proposed.map(({ stage, view, object, sourcePolicies, target }) => {
      return [`${stage} ${view}`, { target, share: { object, sourcePolicies } }] as const;
    }),
    ...(origins.patches.get(output) ?? []).map(({ plugin: _plugin, target, ...share }, index) => {
      return [`patch ${target.key} ${index}`, { target, share }] as const;
    }),
  ]);
}

function distinct(targets: readonly Diagnostic['target'][]): ResourceRef[] {
  const byId = new Map(targets.map((target) => [`${target.kind} ${target.key}`, targetRef(target)]));
  return [...byId.values()].sort(compareRefs);
}
