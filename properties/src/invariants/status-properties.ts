/**
 * Statuses are true: a rejected policy has no effect, an accepted one has an effect, and a policy without effect
 * reports the reason.
 */
import type { PolicyRef, PolicyState, PolicyStatus, ResourceRef, TargetStatus } from '@meshrelay/api';
import { type ControlPlane, policyKey } from '@meshrelay/relay-core';
import { type Effects, effectsIn, refId } from './effects.ts';

type Evaluated = Pick<PolicyStatus, 'state' | 'targets' | 'reports'>;

/** States in which a policy has no effect on a target. */
const REFUSED: ReadonlySet<PolicyState> = new Set(['CONFLICT', 'INVALID', 'PENDING']);
/** Kinds that must have an effect on each target; virtual meshes and destinations may have none on a target. */
const EFFECTIVE: ReadonlySet<string> = new Set(['TrafficPolicy', 'AccessPolicy', 'AccessLogRecord']);

/** Checks every policy of the fleet. */
export function statusesAreTrue({ fleet: { plane } }: { readonly fleet: { readonly plane: ControlPlane } }): void {
  const effects = effectsIn(plane);
  const effective = new Set(
    [...plane.desired.entries()].flatMap(([, { sourcePolicies }]) => sourcePolicies.map(refId)),
  );
  for (const [, { ref, status }] of plane.statuses.entries()) {
    saysWhy(ref, status);
    if (status.state === 'INVALID' && status.targets.length === 0 && !isRetained(status) && effective.has(refId(ref)))
      throw new Error(`${refId(ref)} is INVALID as a whole and has effects`);
    for (const target of status.targets) {
      if (REFUSED.has(target.state)) hasNoEffect(ref, target, effects);
      if (target.state === 'ACCEPTED' && target.reports.length === 0 && !isForRemoteCallers(plane, ref, target))
        hasEffect(ref, status, target, effects);
    }
  }
}

function saysWhy(ref: PolicyRef, { state, reports, targets }: Evaluated): void {
  if (state !== 'ACCEPTED' && reports.length === 0 && targets.every((target) => target.reports.length === 0))
    throw new Error(`${refId(ref)} is ${state} and does not say why`);
  for (const target of targets)
    if (target.state !== 'ACCEPTED' && target.reports.length === 0)
      throw new Error(`${refId(ref)} is ${target.state} on ${nameOf(target)} and does not say why`);
}

function hasNoEffect(ref: PolicyRef, target: TargetStatus, { viewed, divided, written }: Effects): void {
  if (!EFFECTIVE.has(ref.kind)) return;
  const says = (word: string): boolean => target.reports.some(({ code }) => code === word);
  // If a user's object conflicts, only the conflicting part is not applied.
  if (target.state === 'CONFLICT' && !says('CONFLICT')) return;
  // Known callers are allowed or denied, while others are still unknown.
  if (says('UNKNOWN_TRUST_DOMAIN')) return;
  const id = refId(ref);
  if (target.state === 'CONFLICT' && viewed(target).has(id))
    throw new Error(`${id} is ${target.state} on ${nameOf(target)}, whose views name it`);
  if (written(target).has(id) && !divided(target).has(id))
    throw new Error(`${id} is ${target.state} on ${nameOf(target)}, and objects about that are there for it`);
}

function hasEffect(ref: PolicyRef, { reports }: Evaluated, target: ResourceRef, { written }: Effects): void {
  if (!EFFECTIVE.has(ref.kind) || reports.some(({ code }) => code === 'EMPTY_POLICY')) return;
  if (!written(target).has(refId(ref)))
    throw new Error(`${refId(ref)} is ACCEPTED on ${nameOf(target)} without a report, and no output exists for it`);
}

/** Their virtual mesh reports whether they reach the target now, because gateways are added and removed. */
function isForRemoteCallers({ resolved }: ControlPlane, ref: PolicyRef, { cluster }: ResourceRef): boolean {
  const object = resolved.policies.checked.get(policyKey(ref))?.object;
  const sources = object?.kind === 'TrafficPolicy' ? (object.spec.sourceSelector ?? []) : [];
  const clusters = sources.map(({ kubeWorkloadMatcher }) => kubeWorkloadMatcher?.clusters ?? []);
  return clusters.length > 0 && clusters.every((some) => some.length > 0 && !some.includes(cluster));
}

/** Whether the last accepted spec stays applied. */
function isRetained({ reports }: Evaluated): boolean {
  return reports.some(({ code }) => code === 'USING_LAST_KNOWN_GOOD');
}

function nameOf({ kind, cluster, namespace, name }: ResourceRef): string {
  return `${kind} ${cluster}/${namespace}/${name}`;
}
