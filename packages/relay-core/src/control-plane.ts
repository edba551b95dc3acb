/** The server's part of the graph from end to end: the same for the server, the offline commands and the tests. */
import type { DestinationStatus, MeshStatus } from '@meshrelay/api';
import type { Collection, Graph, Lazy } from './graph/collection.ts';
import { type Key, key } from './graph/key.ts';
import { MappedCollection } from './graph/shown.ts';
import type { Hasher } from './input/canonical.ts';
import { decide, type PendingDecisions, pendingDecisions } from './ledger/decisions.ts';
import { shardsWith } from './ledger/shards.ts';
import { type DiscoveredObject, discoveredObjects } from './output/discovered.ts';
import type { DesiredObject } from './output/packed-output.ts';
import type { PolicyUnanswered } from './output/unanswered-by-proxies.ts';
import { Archive } from './packed/archive.ts';
import type { Packed } from './packed/packed.ts';
import type { PageCodec } from './packed/page-codec.ts';
import { clearMemoized } from './plugin/memoize.ts';
import type { LoadedPlugin } from './plugin/registry.ts';
import type { Diagnostic } from './resolve/diagnostic.ts';
import { type Resolved, resolve } from './resolve/resolve.ts';
import { discoveredStatuses } from './status/discovered-status.ts';
import { memberTargets, virtualTargets } from './status/own-targets.ts';
import { type EvaluatedPolicy, evaluatedPolicy, policyStatuses } from './status/policy-status.ts';
import { reportTargets } from './status/reported-targets.ts';
import { selectedTargets } from './status/selected-targets.ts';
import { STORED, WHOLE } from './status/status-limits.ts';
import { createFleetState, type FleetState } from './store/fleet-state.ts';
import { type Origins, translate } from './translate/translate.ts';

export interface ControlPlane {
  readonly graph: Graph;
  /** Fill these; all below follows. */
  readonly fleetState: FleetState;
  readonly plugins: readonly LoadedPlugin[];
  readonly resolved: Resolved;
  /** What every cluster is to have. */
  readonly desired: Collection<DesiredObject>;
  /** What `desired` was chosen from, and what was withheld. */
  readonly origins: Origins;
  /** All there is to say about a policy, by its key: statuses show the first of it. */
  readonly diagnosticsFor: (policy: Key) => readonly Diagnostic[];
  /** What became of every policy. */
  readonly statuses: Collection<EvaluatedPolicy>;
  /** What of the policies is not in force at all Envoys it is for, as their agents know; nothing where all is well. */
  readonly unanswered: Collection<PolicyUnanswered>;
  readonly pendingDecisions: PendingDecisions;
  /** What the management cluster is to show of the fleet. Sleeps until somebody asks: one replica in several writes it, and few others ever look. */
  readonly shown: Lazy<PublishedFleet>;
  /**
   * Puts away as bytes what has come since the last time and is seldom looked at, and forgets what is made again when asked for; to be called while nothing else is to be
   * done. Changes nothing but memory.
   * @param enough asked after each object whether to stop
   * @returns whether all is put away
   */
  compact(enough?: () => boolean): boolean;
}

export interface PublishedFleet {
  /** What was discovered. */
  readonly discovered: Collection<DiscoveredObject>;
  /** What is in force on meshes and destinations, under the keys of `discovered`. */
  readonly statuses: Collection<MeshStatus | DestinationStatus>;
}

export interface ControlPlaneOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly hash: Hasher;
  /** The management namespace, `meshrelay` by default: where Mesh objects live, and the value of the owner label. */
  readonly namespace?: string;
  /** Writes pages of what is put away, best compressed; omitted: nothing is put away. */
  readonly pages?: PageCodec;
  /** Whether statuses tell all there is to tell, however much: for those who show them. By default they tell what API servers are to store. */
  readonly wholeStatuses?: boolean;
}

export const MANAGEMENT_NAMESPACE = 'meshrelay';

/** Lays out resolve, translate, output and status over a new world. */
export function createControlPlane(
  graph: Graph,
  { plugins, hash, namespace = MANAGEMENT_NAMESPACE, pages, wholeStatuses = false }: ControlPlaneOptions,
): ControlPlane {
  const fleetState = createFleetState(graph);
  const resolved = resolve(graph, fleetState, plugins, { hash, namespace });
  const {
    desired,
    packed: retained,
    origins,
    outputDiagnostics,
    viewDiagnostics,
    ackStatus,
    unanswered,
  } = translate(graph, resolved, plugins, fleetState, namespace);
  const limits = wholeStatuses ? WHOLE : STORED;
  const selectedBy = selectedTargets(resolved);
  const own = [memberTargets(graph, resolved), virtualTargets(graph, resolved)];
  // What one policy is told of one target comes in this order: what its own spec comes to, what is withheld from clusters, what was decided
  // before any mesh had a say, and what single meshes do not carry.
  const reported = reportTargets(
    graph,
    resolved,
    [...own, ...outputDiagnostics, ...resolved.diagnostics, ...viewDiagnostics],
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

/** Makes every decision that waits and takes it up, until none waits: what a single process without a Lease does. */
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
