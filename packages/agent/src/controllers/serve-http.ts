/** Every replica: serves health, readiness and the agent's own metrics. */
import { type HealthServer, serveHealth } from '@meshrelay/telemetry';
import type { AgentContext } from '../agent-context.ts';

export function serveReadiness({
  config,
  status,
  logger,
}: Pick<AgentContext, 'config' | 'status' | 'logger'>): Promise<HealthServer> {
  return serveHealth({
    ...config.health.listen,
    checks: status.checks,
    onError: (error, path) => logger.error('health request failed', { path, error }),
  });
}

export function serveMetrics({
  config,
  metrics,
  logger,
}: Pick<AgentContext, 'config' | 'metrics' | 'logger'>): Promise<HealthServer> {
  return serveHealth({
    ...config.stats.listen,
    metrics,
    onError: (error, path) => logger.error('metrics request failed', { path, error }),
  });
}
