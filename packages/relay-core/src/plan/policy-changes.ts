/** The policies that change, or whose result changes. */
import type { PolicyRef, Report } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { deepEqual } from '../graph/deep-equal.ts';
import type { ComputedStatus } from '../status/mod.ts';
import { compareRefs } from '../store/precedence.ts';
import type { PolicyChange } from './document.ts';

type Evaluating = Pick<ControlPlane, 'resolved' | 'statuses'>;

/** In the order of `compareRefs`. */
export function policyChanges(before: Evaluating, after: Evaluating): PolicyChange[] {
  const keys = new Set<Key>();
  for (const { statuses } of [before, after]) for (const [policy] of statuses.entries()) keys.add(policy);
  return [...keys]
    .flatMap((policy) => policyChange(before, after, policy) ?? [])
    .sort((a, b) => compareRefs(a.policy, b.policy));
}

function policyChange(before: Evaluating, after: Evaluating, policy: Key): PolicyChange | undefined {
  const [old, now] = [before.statuses.get(policy), after.statuses.get(policy)];
  const ref = (now ?? old)?.ref as PolicyRef;
  const change = changeOf(before, after, policy);
  const known = new Set(reportsOf(old?.status).map(({ message }) => message));
  const fresh = reportsOf(now?.status).flatMap(({ message }) => (known.has(message) ? [] : [message]));
  const pendingUpdates = [...new Set(fresh)].slice(0, MAX_PENDING_UPDATES);
  if (change === 'unchanged' && old?.status.state === now?.status.state && pendingUpdates.length === 0)
    return undefined;
  return {
    policy: ref,
    change,
    ...(old === undefined ? {} : { before: old.status.state }),
    ...(now === undefined ? {} : { after: now.status.state }),
    pendingUpdates,
  };
}

/** The maximum number of reports of one policy in the plan; statuses contain all. */
const MAX_PENDING_UPDATES = 5;

function changeOf(before: Evaluating, after: Evaluating, policy: Key): PolicyChange['change'] {
  const [old, now] = [before, after].map(({ resolved }) => resolved.policies.distinct.get(policy));
  if (old === undefined) return 'created';
  if (now === undefined) return 'deleted';
  const same = deepEqual(old.object?.spec, now.object?.spec) && deepEqual(old.faults, now.faults);
  return same ? 'unchanged' : 'changed';
}

/** Reports of the policy as a whole, then of its targets. */
function reportsOf(status: ComputedStatus | undefined): Report[] {
  return status === undefined ? [] : [...status.reports, ...status.targets.flatMap(({ reports }) => reports)];
}
