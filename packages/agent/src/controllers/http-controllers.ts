/** Every replica: serves health, readiness and the agent's own metrics. */
import { serveHealth } from '@meshrelay/telemetry';
import type { ReplicaController } from './controllers.ts';

export const healthController: ReplicaController = {
  name: 'health',
  runsOn: 'everyReplica',
  async start({ config, status, logger }) {
    const server = await serveHealth({
      ...config.health.listen,
      checks: status.checks,
      onError: (error, path) => logger.error('health request failed', { path, error }),
    });
    status.healthPort = server.port;
    return server;
  },
};

export const statsController: ReplicaController = {
  name: 'stats',
  runsOn: 'everyReplica',
  async start({ config, status, metrics, logger }) {
    const server = await serveHealth({
      ...config.stats.listen,
      metrics,
      onError: (error, path) => logger.error('metrics request failed', { path, error }),
    });
    status.statsPort = server.port;
    return server;
  },
};
