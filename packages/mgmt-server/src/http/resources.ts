/** The collections of the HTTP API: their keys in the graph, and the item of a key as plain data. */
import { type ChangeSet, type Collection, type DiscoveredObject, type Key, key, partsOf } from '@meshrelay/relay-core';
import { rejectedObjectAction } from '@meshrelay/relay-protocol';
import type { PeerAgents } from '../observe/lookup-agent.ts';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { SafeMode } from '../output/safe-mode.ts';
import type { AgentCallers } from '../relay/agent-callers.ts';
import type { Connections } from '../relay/connections.ts';
import { clusterState } from '../status/cluster-state.ts';
import { heldOf } from '../status/held-deletions.ts';
import type { PolicyOutcomes } from '../status/policy-outcomes.ts';
import type { PolicyRejections } from '../status/policy-rejections.ts';
import { countingRecord } from '../status/record-of.ts';
import type { Fleet } from '../store/fleet.ts';

export interface ApiContext {
  readonly replica: string;
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly agents: AgentCallers;
  /** Access to agents that are connected to other replicas; undefined without other replicas. */
  readonly onPeer?: PeerAgents | undefined;
  readonly rejections: PolicyRejections;
  readonly outcomes: PolicyOutcomes;
  readonly guard: Pick<DeletionGuard, 'heldIn' | 'presentIn'>;
  readonly outputs: Pick<ClusterOutputs, 'begun'>;
  readonly safeMode: () => SafeMode;
}

export type Resource = 'clusters' | 'meshes' | 'workloads' | 'destinations' | 'policies' | 'outputs';

/** One item; its `id` is unique in its collection. */
export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface ResourceView {
  /** Singular name of the items. */
  readonly singular: string;
  /** Awaited before any read of the collection, if it needs preparation. */
  ready?(context: ApiContext): Promise<unknown>;
  keys(context: ApiContext): Iterable<Key>;
  item(context: ApiContext, key: Key): Item | undefined;
  /** The key of an id; the item may not exist. */
  keyOf(id: string): Key;
  /** Keys of items that a commit of the graph has changed. */
  changed(context: ApiContext, changes: ChangeSet): Iterable<Key>;
}

export const RESOURCES: Readonly<Record<Resource, ResourceView>> = {
  clusters: {
    singular: 'cluster',
    keys: ({ fleet }) => keysOf(fleet.fleetState.clusters),
    item: clusterItem,
    keyOf: (id) => key(id),
    // Progress is not a collection of the graph, and clusters are few: all are checked.
    changed: ({ fleet }) => keysOf(fleet.fleetState.clusters),
  },
  meshes: discovered('Mesh', 'mesh'),
  workloads: discovered('Workload', 'workload'),
  destinations: discovered('Destination', 'destination'),
  policies: {
    singular: 'policy',
    keys: ({ fleet }) => keysOf(fleet.controlPlane.statuses),
    item: policyItem,
    keyOf: (id) => {
      const [cluster = '', kind = '', ...place] = partsOfId(id);
      return key(kind, cluster, ...place);
    },
    changed: ({ fleet }, changes) => changedKeys(changes, fleet.controlPlane.statuses),
  },
  outputs: {
    singular: 'output',
    keys: ({ fleet }) => keysOf(fleet.controlPlane.desired),
    item: outputItem,
    keyOf: (id) => key(...partsOfId(id)),
    changed: ({ fleet }, changes) => changedKeys(changes, fleet.controlPlane.desired),
  },
};

/** All items of a collection, ordered by id. */
export function listItems(context: ApiContext, resource: Resource): Item[] {
  const view = RESOURCES[resource];
  return [...view.keys(context)]
    .flatMap((each) => view.item(context, each) ?? [])
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function clusterItem(context: ApiContext, clusterKey: Key): Item | undefined {
  const { fleet, connections, guard } = context;
  const facts = fleet.fleetState.clusters.get(clusterKey);
  if (facts === undefined) return undefined;
  const { name, suspended, paused = false, domain } = facts;
  const progress = fleet.progress.get(name);
  const connection = connections.of(name);
  const synced = fleet.fleetState.ledgerClusters.get(clusterKey);
  return {
    id: name,
    name,
    state: clusterState(facts, connection, {
      synced: synced !== undefined,
      empty: progress?.complete === true && guard.presentIn(name) === 0,
      unheard: connections.unheard(name) !== undefined,
    }),
    connected: connection.push && connection.pull,
    // Absent for this replica.
    replica: connection.replica,
    address: connection.address,
    certificateExpiry: connection.certificateExpiry?.toISOString(),
    suspended,
    paused,
    clusterDomain: domain,
    complete: progress?.complete ?? false,
    version: progress === undefined ? undefined : `${progress.version.term}/${progress.version.seq}`,
    firstSyncTime: synced?.firstSyncTime,
    behind: connection.behind,
    lag: connection.lag,
    agentVersion: connection.hello?.program,
    capabilities: connection.hello?.capabilities,
    missing: [...fleet.quarantine(name).rejections].map(({ key: object, code, reason }) => ({
      ...object,
      code,
      reason,
      next: rejectedObjectAction(code),
    })),
    problem: connection.problem,
    heldDeletions: heldOf(name, countingRecord(name, context), guard),
    rejected: [...connection.refused.values()].map(({ key: object, code, reason }) => ({ ...object, code, reason })),
  };
}

function discovered(kind: DiscoveredObject['kind'], singular: string): ResourceView {
  const isOfKind = (each: Key): boolean => partsOf(each)[0] === kind;
  return {
    singular,
    ready: ({ fleet }) => fleet.shown(),
    keys: ({ fleet }) => keysOf(discoveredIn(fleet)).filter(isOfKind),
    item: ({ fleet }, each) => {
      const object = discoveredIn(fleet).get(each);
      if (object === undefined) return undefined;
      const { metadata, spec } = object;
      const { name, namespace, labels } = metadata;
      return { id: name, name, namespace, labels, spec };
    },
    keyOf: (id) => key(kind, id),
    changed: ({ fleet }, changes) => changedKeys(changes, discoveredIn(fleet)).filter(isOfKind),
  };
}

/** Active since {@link ResourceView.ready}. */
function discoveredIn({ controlPlane }: Fleet): Collection<DiscoveredObject> {
  return controlPlane.shown.activate().discovered;
}

function policyItem({ fleet, outcomes }: ApiContext, policy: Key): Item | undefined {
  const evaluated = fleet.controlPlane.statuses.get(policy);
  if (evaluated === undefined) return undefined;
  const { cluster, kind, namespace, name } = evaluated.ref;
  return { id: idOf(cluster, kind, namespace, name), ...evaluated.ref, ...outcomes.statusOf(evaluated) };
}

function outputItem({ fleet, rejections }: ApiContext, output: Key): Item | undefined {
  const desired = fleet.controlPlane.desired.get(output);
  if (desired === undefined) return undefined;
  const { cluster, kind, object, plugin, sourcePolicies } = desired;
  const { namespace = '', name } = object.metadata;
  const rejection = rejections.ofOutput(cluster, output);
  return {
    id: idOf(cluster, kind.group, kind.kind, namespace, name),
    cluster,
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    namespace,
    name,
    plugin,
    sourcePolicies,
    ...(rejection === undefined ? {} : { rejected: { code: rejection.code, reason: rejection.reason } }),
  };
}

/** `a/b/c`; an empty part (the management cluster, the core group) becomes `_`, which is not a valid name. */
function idOf(...parts: readonly string[]): string {
  return parts.map((part) => (part === '' ? '_' : part)).join('/');
}

function partsOfId(id: string): string[] {
  return id.split('/').map((part) => (part === '_' ? '' : part));
}

function keysOf(collection: Collection<unknown>): Key[] {
  return [...collection.entries()].map(([each]) => each);
}

function changedKeys(changes: ChangeSet, collection: Collection<unknown>): Key[] {
  return changes.of(collection).map((change) => change.key);
}
