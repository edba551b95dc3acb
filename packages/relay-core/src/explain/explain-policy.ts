/**
 * The status of a policy: for each target, the fields it sets, what it lost to other policies, and what the mesh does
 * not support.
 */
import type { PolicyRef, ResourceRef } from '@meshrelay/api';
import { type Key, key, type MeshView } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { virtualMeshEffects } from '../fields/virtual-mesh/mod.ts';
import { type Diagnostic, targetRef } from '../resolve/mod.ts';
import { policyKey } from '../store/fleet-state.ts';
import { MESH_STAGE, WORKLOAD_EXTENSIONS_STAGE } from '../translate/mod.ts';
import type { ExplainContext } from './context.ts';
import type { DestinationFromMesh, EffectiveField, ExplainedTarget, PolicyExplanation } from './document.ts';
import { explainCallers } from './explain-callers.ts';
import { knownTo, namesNotApplied, visibleTo } from './explain-destination.ts';
import { explainMissing } from './explain-missing.ts';
import { patchesWhere } from './explain-patches.ts';
import { explainVirtual } from './explain-virtual.ts';
import { outputsWhere, sameRef } from './places.ts';
import { reported } from './policy-on-target.ts';

/** The maximum number of targets shown. */
const MAX_TARGETS = 50;

/** Undefined if the policy does not exist. */
export function explainPolicy(
  plane: ControlPlane,
  policy: Key,
  { statusOf }: ExplainContext = {},
): PolicyExplanation | undefined {
  const evaluated = plane.statuses.get(policy);
  if (evaluated === undefined) return undefined;
  const { ref } = evaluated;
  const status = statusOf?.(evaluated) ?? evaluated.status;
  const virtualDestination = explainVirtual(plane, policy);
  const missing = explainMissing(plane, status);
  const callers = explainCallers(plane, policy);
  const sequence = plane.fleetState.ledgerPolicies.get(policyKey(ref))?.sequence;
  return {
    about: 'policy',
    policy: ref,
    state: status.state,
    ...(sequence === undefined ? {} : { sequence }),
    conditions: status.conditions,
    reports: status.reports,
    ...(missing.length === 0 ? {} : { missing }),
    ...(callers === undefined ? {} : { callers }),
    targetCount: status.targetCount ?? 0,
    targets: targetsOf(plane, policy, status.targets).map((target) => explainedTarget(plane, ref, target)),
    ...(virtualDestination === undefined ? {} : { virtualDestination }),
    patches: patchesWhere(plane, ({ sourcePolicies }) => holds(sourcePolicies, ref)),
    outputs: outputsWhere(plane, ({ sourcePolicies }) => sourcePolicies.some((one) => sameRef(one, ref))),
  };
}

interface Target {
  readonly ref: ResourceRef;
  readonly key: Key;
  readonly state: ExplainedTarget['state'];
  readonly reports: ExplainedTarget['reports'];
}

/** The targets of the status, which are the worst, then all others with diagnostics. */
function targetsOf(plane: ControlPlane, policy: Key, listed: readonly ExplainedStatusTarget[]): Target[] {
  const diagnostics = new Map<Key, Diagnostic[]>();
  for (const diagnostic of plane.diagnosticsFor(policy))
    diagnostics.set(diagnostic.target.key, [...(diagnostics.get(diagnostic.target.key) ?? []), diagnostic]);
  const targets = new Map<Key, Target>();
  for (const { state, reports, ...ref } of listed.slice(0, MAX_TARGETS)) {
    const id = key(ref.cluster, ref.namespace, ref.name);
    targets.set(id, { ref, key: id, state, reports });
  }
  for (const [id, own] of diagnostics) {
    const [first] = own;
    if (targets.size >= MAX_TARGETS) break;
    if (!targets.has(id) && first !== undefined)
      targets.set(id, { ref: targetRef(first.target), key: id, ...reported(own) });
  }
  return [...targets.values()];
}

type ExplainedStatusTarget = ResourceRef & Pick<Target, 'state' | 'reports'>;

function explainedTarget(plane: ControlPlane, policy: PolicyRef, target: Target): ExplainedTarget {
  const { ref, state, reports } = target;
  return { target: ref, state, effects: givenBy(plane, policy, target), reports };
}

function givenBy(plane: ControlPlane, policy: PolicyRef, { ref, key: id }: Target): EffectiveField[] {
  if (ref.kind === 'Mesh') {
    const view = plane.resolved.meshViews.get(id);
    return view === undefined ? [] : meshFields(plane, view, policy);
  }
  if (ref.kind === 'Workload') return loggedOf(plane, policy, id);
  const exported = plane.resolved.federation.exported.get(id);
  const federated: EffectiveField[] =
    exported !== undefined && sameRef(exported.ref, policy) && knownTo(plane, id).consumers.length > 0
      ? [{ field: 'federation', value: exported.hostname, from: [policy] }]
      : [];
  const fields = visibleTo(plane, id).flatMap((seen) => fieldsOf(seen).filter(({ from }) => holds(from, policy)));
  return distinct([...federated, ...fields]);
}

/** The log rules of a workload from the policy, as far as its mesh supports them. */
function loggedOf({ plugins, resolved }: ControlPlane, policy: PolicyRef, id: Key): EffectiveField[] {
  const view = resolved.extensions.workloadViews.get(id);
  const loaded = plugins.find(({ plugin }) => plugin.name === view?.workload.mesh.type);
  const supported =
    view === undefined || loaded === undefined ? undefined : WORKLOAD_EXTENSIONS_STAGE.strip(view, loaded).view;
  return (supported?.accessLog ?? [])
    .filter(({ from }) => holds(from, policy))
    .map((rule) => ({ field: 'accessLog', value: rule, from: rule.from }));
}

/** The fields that a mesh gets from its virtual mesh, as far as it supports them. */
function meshFields(plane: ControlPlane, view: MeshView, policy: PolicyRef): EffectiveField[] {
  const { plugins, resolved } = plane;
  const loaded = plugins.find(({ plugin }) => plugin.name === view.mesh.type);
  const supported = loaded === undefined ? undefined : MESH_STAGE.strip(view, loaded).view;
  if (supported === undefined || !sameRef(supported.virtualMesh, policy)) return [];
  const notApplied = namesNotApplied(plane.origins);
  const exports = resolved.federation.exportsOfMesh
    .entriesOf(view.mesh.key)
    .filter(([destination]) => knownTo(plane, destination, notApplied).consumers.length > 0).length;
  const fields = [
    ...virtualMeshEffects(supported),
    ...(exports > 0 ? [['federation', `${exports} destination${exports === 1 ? '' : 's'} federated`] as const] : []),
  ];
  return fields.map(([field, value]) => ({ field, value, from: [policy] }));
}

function fieldsOf({ routes, connection, access, subsets }: DestinationFromMesh): EffectiveField[] {
  return [
    ...routes.flatMap(({ match, port, actions }) => actions.map((action) => ({ ...action, match, port: port.number }))),
    ...connection,
    ...access.map((rule) => ({ field: 'access', value: rule, from: rule.from })),
    ...subsets.map(({ value, from }) => ({ field: 'subset', value, from })),
  ];
}

/** Fields that several meshes see alike are listed once: values differ between them only in host names. */
function distinct(fields: readonly EffectiveField[]): EffectiveField[] {
  const byPlace = new Map<string, EffectiveField>();
  for (const given of fields) {
    const { field, match, port, value } = given;
    const id = JSON.stringify([field, match, port, match === undefined ? value : undefined]);
    if (!byPlace.has(id)) byPlace.set(id, given);
  }
  return [...byPlace.values()];
}

function holds(from: readonly PolicyRef[], policy: PolicyRef): boolean {
  return from.some((one) => sameRef(one, policy));
}
