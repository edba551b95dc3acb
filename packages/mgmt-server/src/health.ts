/** Health of the server: ready when it can serve agents, also in safe mode. */

import type { ListenAddress } from '@meshrelay/host';
import type { HealthOptions } from '@meshrelay/telemetry';
import { type HealthServer, type Logger, type Metrics, serveHealth } from '@meshrelay/telemetry';
import type { ManagementInputs } from './input/management.ts';

export interface ServerHealthOptions {
  readonly listen: ListenAddress;
  readonly metrics: Metrics;
  readonly management: Pick<ManagementInputs, 'unsyncedKinds'>;
  /** Whether the relay's port is open and is not closing. */
  readonly accepting: () => boolean;
  /** Aborted once the graph accepts no more writes. */
  readonly broken: AbortSignal;
  /** Further paths. */
  readonly routes: NonNullable<HealthOptions['routes']>;
  readonly logger: Logger;
}

/**
 * Serves /healthz, /readyz, /metrics and the given routes. A replica in safe mode is ready, because agents must reach
 * it for safe mode to end.
 */
export function serveServerHealth(options: ServerHealthOptions): Promise<HealthServer> {
  const { listen, metrics, routes, logger } = options;
  return serveHealth({
    ...listen,
    metrics,
    routes,
    checks: readinessChecks(options),
    onError: (error, path) => logger.error('health request failed', { path, error }),
  });
}

/** By name, as /readyz shows them. */
export function readinessChecks({
  management,
  accepting,
  broken,
}: Pick<ServerHealthOptions, 'management' | 'accepting' | 'broken'>): NonNullable<HealthOptions['checks']> {
  return {
    management: () => {
      const unknown = [...management.unsyncedKinds].map(([kind, reason]) => `${kind}: ${reason}`);
      return unknown.length === 0 || `not synced: ${unknown.join('; ')}`;
    },
    graph: () => !broken.aborted || 'the graph accepts no more writes: the server ends and must be restarted',
    relay: () => accepting() || 'the relay accepts no connections: it has not started, or is about to stop',
  };
}
