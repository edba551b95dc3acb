/** Metrics of answers about access logs. */
import type { Metrics } from '@meshrelay/telemetry';
import type { ObserveCounters } from '../observe/replica-observer.ts';
import type { AgentStatus } from './agent-status.ts';

export function observeMetrics(metrics: Metrics, status: AgentStatus): ObserveCounters {
  metrics.gauge({
    name: 'peers_open',
    help: '1 where the leader can ask this replica: it listens and has the keys of the replicas.',
    read: () => Number(status.peers?.open ?? false),
  });
  metrics.gauge({
    name: 'peer_calls',
    help: 'Questions of the leader that this replica is answering.',
    read: () => status.peers?.calls ?? 0,
  });
  metrics.gauge({
    name: 'observes',
    help: '1 where this replica answers the server about access logs and traffic, for all replicas.',
    read: () => Number(status.observes),
  });
  metrics.gauge({
    name: 'notes_envoy_answers',
    help: '1 where this replica notes on XdsConfig objects what the Envoys of all replicas answered.',
    read: () => Number(status.notesEnvoyAnswers),
  });
  const answered = metrics.counter({
    name: 'access_log_answered_total',
    help: 'Entries of access logs for those who asked, by what became of them.',
    labels: ['result'],
  });
  return {
    sent: (entries) => answered.add(entries, { result: 'told' }),
    lost: (entries) => answered.add(entries, { result: 'lost' }),
  };
}
