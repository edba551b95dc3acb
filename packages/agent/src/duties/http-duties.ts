/** Health and readiness, and the agent's own metrics, of every replica. */
import { serveHealth } from '@meshrelay/telemetry';
import type { EveryDuty } from './duties.ts';

export const healthDuty: EveryDuty = {
  name: 'health',
  who: 'every',
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

export const statsDuty: EveryDuty = {
  name: 'stats',
  who: 'every',
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
