/** Metrics of the server. `docs/reference/metrics.md` lists them; a test compares the two. */
import type { PeerServer } from '@meshrelay/peers';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { RelaySession } from '@meshrelay/relay-protocol';
import type { SnapshotStore } from '@meshrelay/store';
import { type CounterMetric, createMetrics, type GaugeMetric, type Metrics } from '@meshrelay/telemetry';
import type { LeaderControllers } from './controllers/controllers.ts';
import type { ApiServer } from './http/api.ts';
import type { ChangeStream } from './http/change-stream.ts';
import type { ManagementInputs } from './input/management.ts';
import type { DeletionGuard } from './output/deletion-guard.ts';
import type { SafeMode } from './output/safe-mode.ts';
import type { AgentCallers } from './relay/agent-callers.ts';
import type { Connections } from './relay/connections.ts';
import type { PolicyOutcomes } from './status/policy-outcomes.ts';
import type { Fleet } from './store/fleet.ts';

/** Metrics that are updated as events happen. */
export interface ServerMetrics {
  readonly metrics: Metrics;
  readonly registrations: CounterMetric<'result'>;
  readonly renewals: CounterMetric<'result'>;
  readonly refusedInputs: CounterMetric<never>;
  /** Relay connections that were closed for their behaviour; calls that were rejected for their caller or content. */
  readonly refusedConnections: CounterMetric<'reason'>;
  readonly refusedCalls: CounterMetric<'method' | 'code'>;
  /** Calls to agents that are connected to other replicas. */
  readonly forwarded: CounterMetric<'result'>;
  /** Corrupt values in the shared store. */
  readonly corruptValues: CounterMetric<'what' | 'problem'>;
  /** Unix time in seconds at which a certificate expires. */
  readonly certificateExpiry: GaugeMetric<'certificate'>;
}

export function createServerMetrics(): ServerMetrics {
  const metrics = createMetrics({ runtime: true });
  return {
    metrics,
    registrations: metrics.counter({
      name: 'registrations_total',
      help: 'Number of registration requests, by result: issued or refused.',
      labels: ['result'],
    }),
    renewals: metrics.counter({
      name: 'certificate_renewals_total',
      help: 'Number of certificate renewal requests, by result: issued or refused.',
      labels: ['result'],
    }),
    refusedConnections: metrics.counter({
      name: 'relay_connections_refused_total',
      help: 'Number of connections to the relay that were closed for misuse, by reason.',
      labels: ['reason'],
    }),
    refusedCalls: metrics.counter({
      name: 'relay_calls_rejected_total',
      help: 'Number of rejected calls and streams of agents, by method and code; unknown methods are `unknown`.',
      labels: ['method', 'code'],
    }),
    refusedInputs: metrics.counter({
      name: 'input_objects_rejected_total',
      help: 'Number of rejected objects that agents pushed.',
    }),
    forwarded: metrics.counter({
      name: 'calls_forwarded_total',
      help: 'Number of calls forwarded to the replica of the agent, by result: answered, failed or unreached.',
      labels: ['result'],
    }),
    corruptValues: metrics.counter({
      name: 'store_values_corrupt_total',
      help: 'Number of corrupt values in Redis, which count as unknown, by type of value and of corruption.',
      labels: ['what', 'problem'],
    }),
    certificateExpiry: metrics.gauge({
      name: 'certificate_expiry_timestamp_seconds',
      help: 'Expiry of certificates: of the relay (root, signing, server, client-ca), of the HTTP API, for Redis (redis-client), of virtual meshes (mesh-root).',
      labels: ['certificate'],
    }),
  };
}

export interface Measured {
  readonly plugins: readonly LoadedPlugin[];
  readonly fleet: Fleet;
  readonly management: ManagementInputs;
  readonly connections: Connections;
  readonly safeMode: () => SafeMode;
  readonly guard: Pick<DeletionGuard, 'holding' | 'heldIn'>;
  readonly controllers: LeaderControllers;
  readonly outcomes: Pick<PolicyOutcomes, 'underWay'>;
  readonly agents: Pick<AgentCallers, 'calls'>;
  readonly changes: Pick<ChangeStream, 'size'>;
  /** Open streams of agents. */
  readonly sessions: () => readonly Pick<RelaySession, 'stream'>[];
  readonly store: Pick<SnapshotStore, 'stats'>;
  /** The server that other replicas call; undefined without other replicas. */
  readonly peers: () => Pick<PeerServer, 'open' | 'calls'> | undefined;
  /** Undefined until the API is served. */
  readonly api: () => Pick<ApiServer, 'logStreams' | 'sampled'> | undefined;
}

/** Registers gauges that read their values at each scrape. */
export function registerGauges(metrics: Metrics, measured: Measured): void {
  const { fleet, management, connections, safeMode, guard, controllers, store, peers } = measured;
  const { outcomes, agents, changes, sessions, api, plugins } = measured;
  const { controlPlane, fleetState } = fleet;
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.gauge({ name, help, read });
  };
  gauge('clusters_registered', 'Registered clusters.', () => fleetState.clusters.size);
  gauge(
    'clusters_connected',
    'Number of clusters whose agent has both streams open to this replica.',
    () => connections.connected,
  );
  metrics.gauge({
    name: 'relay_streams',
    help: 'Number of open streams of agents, by type: push, pull or invoke.',
    labels: ['stream'],
    read: () => {
      const open = { push: 0, pull: 0, invoke: 0 };
      for (const { stream } of sessions()) open[stream]++;
      return Object.entries(open).map(([stream, count]) => [count, { stream }] as const);
    },
  });
  gauge('agent_calls', 'Number of running calls to agents that are connected here.', () => agents.calls);
  gauge(
    'inputs_lag_seconds',
    'Age of the oldest change that a connected agent has not sent yet, as last reported.',
    () => connections.longestLag.inputs / 1000,
  );
  gauge(
    'outputs_lag_seconds',
    'Age of the oldest output that a connected agent has not acknowledged, as of the last heartbeat.',
    () => connections.longestLag.outputs / 1000,
  );
  gauge('outputs_queue_depth', 'Number of objects that connected agents have not acknowledged yet.', () =>
    outcomes.underWay(),
  );
  metrics.gauge({
    name: 'api_streams',
    help: 'Number of open streams of the HTTP API, by content: changes or logs.',
    labels: ['stream'],
    read: () => [
      [changes.size, { stream: 'changes' }],
      [api()?.logStreams ?? 0, { stream: 'logs' }],
    ],
  });
  gauge('traffic_clusters', 'Number of clusters with stored traffic samples.', () => api()?.sampled ?? 0);
  gauge('safe_mode', '1 while inputs of a cluster or of the management cluster are missing.', () =>
    Number(safeMode().active),
  );
  gauge(
    'clusters_unsynced',
    'Number of clusters that were synced before, are not suspended and are not synced now.',
    () => safeMode().unsyncedClusters.length,
  );
  metrics.gauge({
    name: 'discovery_failed_plugins',
    help: 'Number of mesh plugins whose discovery failed, by cluster and plugin.',
    labels: ['cluster', 'plugin'],
    read: () => connections.failedPlugins.map(({ cluster, plugin }) => [1, { cluster, plugin }] as const),
  });
  metrics.gauge({
    name: 'quarantined_plugins',
    help: 'Number of mesh plugins that this process does not call because a call did not return, by plugin.',
    labels: ['plugin'],
    read: () =>
      plugins
        .filter(({ quarantined }) => quarantined !== undefined)
        .map(({ plugin }) => [1, { plugin: plugin.name }] as const),
  });
  gauge('commit_queue_depth', 'Number of writes that wait for a commit of the graph.', () => fleet.depth);
  gauge(
    'discovered_queue_depth',
    'Number of discovered objects that wait to be written.',
    () => controllers.depths.discovered,
  );
  gauge('status_queue_depth', 'Number of statuses that wait to be written.', () => controllers.depths.status);
  gauge('outputs', 'Number of desired objects in all clusters.', () => controlPlane.desired.size);
  gauge(
    'outputs_rejected',
    'Number of objects that connected agents rejected or could not apply.',
    () => connections.refusedObjects,
  );
  gauge('clusters_with_held_deletions', 'Number of clusters with held deletions.', () => guard.holding.length);
  gauge('held_deletions', 'Number of held deletions.', () =>
    guard.holding.reduce((sum, cluster) => sum + (guard.heldIn(cluster)?.outputs.length ?? 0), 0),
  );
  gauge('policies', 'Number of policies in all clusters.', () => fleetState.policies.size + fleetState.unreadable.size);
  gauge(
    'quarantined',
    'Number of keys whose transform failed and that keep their last valid result.',
    () => controlPlane.graph.quarantined.size,
  );
  gauge(
    'management_objects_unreadable',
    'Number of Meshrelay objects in the management cluster that cannot be read and keep their last valid state.',
    () => management.unreadable,
  );
  gauge('store_objects', 'Number of stored objects of agents in this replica.', () => store.stats().objects);
  gauge('store_bytes', 'Bytes of stored objects in this replica.', () => store.stats().bytes);
  gauge('store_connected', '1 while Redis works; 1 without Redis, too.', () =>
    Number(store.stats().replication?.connected ?? true),
  );
  gauge(
    'store_stale_seconds',
    'Time since Redis is unreachable, which is the age of the state of clusters connected to other replicas; 0 while it is reachable.',
    () => {
      const { connected = true, sinceMs = 0 } = store.stats().replication ?? {};
      return connected ? 0 : sinceMs / 1000;
    },
  );
  gauge(
    'store_queue_depth',
    'Number of objects that wait to be written to Redis.',
    () => store.stats().replication?.waiting ?? 0,
  );
  gauge('peers_open', '1 if other replicas can call this one: it listens and has the keys of the replicas.', () =>
    Number(peers()?.open ?? false),
  );
  gauge('peer_calls', 'Number of running calls of other replicas.', () => peers()?.calls ?? 0);
  gauge('leader', '1 if this replica holds the Lease.', () => Number(controllers.running));
}
