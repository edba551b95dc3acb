/** What policies add to the proxies of each workload, and what that requires of each mesh. */
import type { AccessLogRecord, WasmDeployment } from '@meshrelay/api';
import {
  type AccessLogRuleView,
  type Collection,
  type Index,
  type Key,
  key,
  type MeshExtensionsView,
  type MeshFacts,
  type Read,
  type WorkloadExtensionsView,
} from '@meshrelay/plugin';
import { internList } from '../../caches/intern-list.ts';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { comparePrecedence } from '../../store/precedence.ts';
import type { CheckedPolicy } from '../policies/mod.ts';
import { type Authorities, owns } from '../workspaces/mod.ts';
import { accessLogRules } from './access-log-rules.ts';
import { type WasmFilters, wasmFilters } from './wasm-filters.ts';
import {
  type KnownWorkload,
  resolveWorkloadPolicies,
  type TargetingPolicy,
  type WorkloadPolicies,
} from './workload-policies.ts';
import { selectedClusters } from './workload-selectors.ts';

export interface Extensions extends WorkloadPolicies {
  /** The log rules of each workload that records select, in a mesh or not. */
  readonly logged: Collection<LoggedWorkload>;
  /** The Wasm filters of each workload that deployments select, in a mesh or not. */
  readonly filtered: Collection<WasmFilters>;
  /** By workload key; only workloads in a mesh. */
  readonly workloadViews: Collection<WorkloadExtensionsView>;
  /** By mesh key. */
  readonly meshViews: Collection<MeshExtensionsView>;
}

/** A workload that records select. */
export interface LoggedWorkload {
  /** In order of precedence; workloads with the same records share one list. */
  readonly records: readonly TargetingPolicy<AccessLogRecord>[];
  readonly rules: readonly AccessLogRuleView[];
  readonly mesh?: Key;
}

/** Adds the extensions to a graph. */
export function resolveExtensions(
  graph: Graph,
  fleetState: Pick<FleetState, 'workloads'>,
  checked: Collection<CheckedPolicy>,
  around: { readonly authorities: Authorities; readonly meshes: Collection<MeshFacts> },
): Extensions {
  const { authorities, meshes } = around;
  const policies = resolveWorkloadPolicies(graph, fleetState, checked, authorities);
  const { targeting, workloads, ofWorkload } = policies;
  const logged = graph.derive('extensions/logged', ofWorkload, (keys, read, id): LoggedWorkload | undefined => {
    const workload = read.get(workloads, id);
    const found = keys.flatMap((policy) => read.get(targeting, policy) ?? []).filter(isRecord);
    if (workload === undefined || found.length === 0) return undefined;
    const records = internList(found.sort(comparePrecedence));
    const { mesh } = workload;
    return { records, rules: accessLogRules(records), ...(mesh === undefined ? {} : { mesh }) };
  });
  const filtered = graph.derive('extensions/filtered', ofWorkload, (keys, read, id): WasmFilters | undefined => {
    const workload = read.get(workloads, id);
    const found = keys.flatMap((policy) => read.get(targeting, policy) ?? []).filter(isDeployment);
    if (workload === undefined || found.length === 0) return undefined;
    return wasmFilters(internList(found), workload, ({ authority }, namespace) => {
      const place = { cluster: workload.cluster, namespace };
      return owns(authority, { ...place, ...authorities.workspaceAccessOfMesh(read, place) });
    });
  });
  const workloadViews = graph.inline('extensions/workload-views', ofWorkload, (_keys, read, id) => {
    const workload = read.get(workloads, id);
    const mesh = workload?.mesh === undefined ? undefined : read.get(meshes, workload.mesh);
    const accessLog = read.get(logged, id)?.rules ?? NOTHING;
    const wasm = read.get(filtered, id)?.filters ?? NOTHING;
    if (workload === undefined || mesh === undefined || accessLog.length + wasm.length === 0) return undefined;
    return workloadView(id, workload, mesh, { accessLog, wasm });
  });
  return { ...policies, logged, filtered, workloadViews, meshViews: meshViews(graph, targeting, logged, meshes) };
}

const NOTHING: readonly never[] = [];

function isRecord(policy: TargetingPolicy): policy is TargetingPolicy<AccessLogRecord> {
  return policy.object.kind === 'AccessLogRecord';
}

function isDeployment(policy: TargetingPolicy): policy is TargetingPolicy<WasmDeployment> {
  return policy.object.kind === 'WasmDeployment';
}

function workloadView(
  id: Key,
  { namespace, name, kind, serviceAccount, podLabels }: KnownWorkload,
  mesh: MeshFacts,
  extensions: Pick<WorkloadExtensionsView, 'accessLog' | 'wasm'>,
): WorkloadExtensionsView {
  return { workload: { key: id, mesh, namespace, name, kind, serviceAccount, podLabels }, ...extensions };
}

/**
 * A mesh reads the records that may apply to it, and checks whether each selects any workload there; their number does
 * not matter.
 */
function meshViews(
  graph: Graph,
  targeting: Collection<TargetingPolicy>,
  logged: Collection<LoggedWorkload>,
  meshes: Collection<MeshFacts>,
): Collection<MeshExtensionsView> {
  const byCluster = graph.index(targeting, 'extensions/policies-by-cluster', ({ object, authority }) => {
    if (object.kind !== 'AccessLogRecord') return NOTHING;
    const selected = selectedClusters(object.spec.workloadSelectors);
    if (selected !== undefined) return selected.map((cluster) => key('cluster', cluster));
    return [authority.kind === 'unassigned' && authority.cluster !== '' ? key('cluster', authority.cluster) : GLOBAL];
  });
  const holding = graph.index(logged, 'extensions/holding', ({ mesh, records }) =>
    mesh === undefined ? [] : [key(mesh), ...records.map((record) => key(mesh, record.key))],
  );
  return graph.derive('extensions/mesh-views', meshes, (mesh, read): MeshExtensionsView | undefined => {
    if (!read.any(holding, key(mesh.key))) return undefined;
    const records = holdingIn(read, mesh, { byCluster, holding });
    return { mesh, accessLog: accessLogRules(internList(records)) };
  });
}

const GLOBAL = key('global');

function holdingIn(
  read: Read,
  mesh: MeshFacts,
  { byCluster, holding }: { readonly byCluster: Index<TargetingPolicy>; readonly holding: Index<LoggedWorkload> },
): TargetingPolicy<AccessLogRecord>[] {
  return [...read.by(byCluster, GLOBAL), ...read.by(byCluster, key('cluster', mesh.cluster))]
    .filter(([policy]) => read.any(holding, key(mesh.key, policy)))
    .map(([, record]) => record)
    .filter(isRecord)
    .sort(comparePrecedence);
}
