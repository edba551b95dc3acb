/** Metrics of answers about access logs. */
import type { Metrics } from '@meshrelay/telemetry';
import type { ObserveCounters } from '../observe/replica-observer.ts';
import type { AgentStatus } from './agent-status.ts';

export function observeMetrics(metrics: Metrics, status: AgentStatus): ObserveCounters {
  metrics.gauge({
    name: 'peers_open',
    help: '1 if the leader can call this replica: it listens and has the keys of the replicas.',
    read: () => Number(status.peers?.open ?? false),
  });
  metrics.gauge({
    name: 'peer_calls',
    help: 'Number of running calls of the leader.',
    read: () => status.peers?.calls ?? 0,
  });
  metrics.gauge({
    name: 'observability_active',
    help: '1 if this replica answers calls of the server about access logs and traffic, for all replicas.',
    read: () => Number(status.observes),
  });
  metrics.gauge({
    name: 'notes_envoy_answers',
    help: '1 if this replica writes the acknowledgements of all Envoys to XdsConfig objects.',
    read: () => Number(status.notesEnvoyAnswers),
  });
  const answered = metrics.counter({
    name: 'access_log_answered_total',
    help: 'Number of access log entries requested by clients, by result.',
    labels: ['result'],
  });
  return {
    sent: (entries) => answered.add(entries, { result: 'sent' }),
    lost: (entries) => answered.add(entries, { result: 'lost' }),
  };
}
