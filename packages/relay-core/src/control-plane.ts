/** The server's part of the graph from end to end: the same for the server, the offline commands and the tests. */
import type { DestinationStatus, MeshStatus } from '@meshrelay/api';
import { type Collection, type Key, key } from '@meshrelay/plugin';
import { clearMemoized } from '@meshrelay/plugin/host';
import { Archive } from './graph/archive.ts';
import type { Graph, Lazy } from './graph/collection.ts';
import { MappedCollection } from './graph/shown.ts';
import type { Hasher } from './input/canonical.ts';
import { decide, type PendingDecisions, pendingDecisions } from './ledger/decisions.ts';
import { shardsWith } from './ledger/shards.ts';
import {
  chooseOutputs,
  type DesiredObject,
  type DiscoveredObject,
  discoveredObjects,
  type Origins,
  type PolicyUnanswered,
} from './output/mod.ts';
import type { Packed } from './packed/packed.ts';
import type { PageCodec } from './packed/page-codec.ts';
import type { LoadedPlugin } from './plugin/registry.ts';
import { type Diagnostic, type Resolved, resolve } from './resolve/mod.ts';
import {
  discoveredStatuses,
  type EvaluatedPolicy,
  evaluatedPolicy,
  memberTargets,
  policyStatuses,
  reportTargets,
  STORED,
  selectedTargets,
  virtualTargets,
  WHOLE,
} from './status/mod.ts';
import { createFleetState, type FleetState } from './store/fleet-state.ts';
import { translate } from './translate/mod.ts';

export interface ControlPlane {
  readonly graph: Graph;
  /** Fill these sources; everything below is derived from them. */
  readonly fleetState: FleetState;
  readonly plugins: readonly LoadedPlugin[];
  readonly resolved: Resolved;
  /** The desired objects of every cluster. */
  readonly desired: Collection<DesiredObject>;
  /** What `desired` was selected from, and what was not applied. */
  readonly origins: Origins;
  /** All diagnostics of a policy, by its key: statuses contain only the first. */
  readonly diagnosticsFor: (policy: Key) => readonly Diagnostic[];
  /** The status of every policy. */
  readonly statuses: Collection<EvaluatedPolicy>;
  /** Policies that are not applied in all Envoys that they select, as their agents report; empty if all are. */
  readonly unanswered: Collection<PolicyUnanswered>;
  readonly pendingDecisions: PendingDecisions;
  /**
   * What the management cluster shows of the fleet. Lazy: of several replicas one writes it, and others rarely read it.
   */
  readonly shown: Lazy<PublishedFleet>;
  /**
   * Packs values that are new since the last call and rarely read, and clears caches whose values can be computed
   * again. Call it while the process is idle. Changes only memory.
   * @param enough called after each object: whether to stop
   * @returns whether everything is packed
   */
  compact(enough?: () => boolean): boolean;
}

export interface PublishedFleet {
  /** The discovered objects. */
  readonly discovered: Collection<DiscoveredObject>;
  /** The effective configuration of meshes and destinations, under the keys of `discovered`. */
  readonly statuses: Collection<MeshStatus | DestinationStatus>;
}

export interface ControlPlaneOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly hash: Hasher;
  /**
   * The management namespace, `meshrelay` by default: the namespace of Mesh objects, and the value of the owner label.
   */
  readonly namespace?: string;
  /** Encodes pages of packed values, preferably compressed; omitted: nothing is packed. */
  readonly pages?: PageCodec;
  /**
   * Whether statuses contain everything, of any size, for display. By default they contain what API servers should
   * store.
   */
  readonly wholeStatuses?: boolean;
}

export const MANAGEMENT_NAMESPACE = 'meshrelay';

/** Adds resolve, translate, output and status to a graph, over a new fleet state. */
export function createControlPlane(
  graph: Graph,
  { plugins, hash, namespace = MANAGEMENT_NAMESPACE, pages, wholeStatuses = false }: ControlPlaneOptions,
): ControlPlane {
  const fleetState = createFleetState(graph);
  const resolved = resolve(graph, fleetState, plugins, { hash, namespace });
  const translated = translate(graph, resolved, plugins);
  const {
    desired,
    packed: retained,
    origins,
    diagnostics: outputDiagnostics,
    ackStatus,
    unanswered,
  } = chooseOutputs(graph, translated, { fleetState, resolved, plugins, owner: namespace });
  const limits = wholeStatuses ? WHOLE : STORED;
  const selectedBy = selectedTargets(resolved);
  const own = [memberTargets(graph, resolved), virtualTargets(graph, resolved)];
  // Diagnostics of one policy on one target come in this order:
  // - results of its own spec;
  // - objects that are not applied in clusters;
  // - decisions that do not depend on a mesh;
  // - fields that single meshes do not support.
  const reported = reportTargets(
    graph,
    resolved,
    [...own, ...outputDiagnostics, ...resolved.diagnostics, ...translated.viewDiagnostics],
    {
      selectedBy,
      limits,
    },
  );
  const evaluated = policyStatuses(graph, resolved, {
    reported,
    selectedBy,
    ackStatus,
    shortLivedRoots: fleetState.shortLivedRoots,
    limits,
  });
  const archive = pages === undefined ? undefined : new Archive(graph, pages);
  for (const source of [fleetState.destinations, fleetState.workloads])
    archive?.keep<Packed<unknown>>(source, (packed) => packed);
  archive?.keep(fleetState.present, ({ object }) => object);
  archive?.keep(retained, (one) => one);
  archive?.keep(evaluated, (one) => one);
  const waiting = pendingDecisions(graph, fleetState, resolved, evaluated);
  const shown = graph.lazy((): PublishedFleet => {
    const { objects, destinationNames } = discoveredObjects(graph, fleetState, resolved, hash, namespace);
    const statuses = discoveredStatuses(graph, resolved, origins, { destinationNames, namespace });
    return { discovered: objects, statuses };
  });
  return {
    graph,
    fleetState,
    plugins,
    resolved,
    desired,
    origins,
    diagnosticsFor: reported.diagnosticsFor,
    statuses: new MappedCollection(evaluated, evaluatedPolicy),
    unanswered,
    pendingDecisions: waiting,
    shown,
    compact: (enough) => {
      if (archive?.rest(enough) === false || !graph.compact(enough)) return false;
      clearMemoized();
      return true;
    },
  };
}

/** Makes every pending decision and ingests it, until none is pending: for a single process without a Lease. */
export function settle(
  { graph, fleetState, pendingDecisions: waiting }: ControlPlane,
  { hash, namespace = MANAGEMENT_NAMESPACE }: ControlPlaneOptions,
): void {
  for (
    let decisions = decide(fleetState, waiting, hash);
    decisions !== undefined;
    decisions = decide(fleetState, waiting, hash)
  ) {
    const shards = shardsWith(fleetState, decisions, namespace, hash);
    graph.commit((transaction) => {
      for (const shard of shards) transaction.set(fleetState.ledgers, key(shard.metadata.name), shard);
    });
  }
}
