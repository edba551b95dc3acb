/** The observability part of one replica, without the rest of the agent: a sink that receives entries from a test. */
import type { Buffer } from 'node:buffer';
import { AccessLogSink, EdgeMetrics, type SinkOptions } from '@meshrelay/access-log-sink';
import { accessLogService as als, messageFromJson } from '@meshrelay/envoy-api';
import { accessLogService } from '@meshrelay/envoy-api/services';
import { ReplicaObserver } from '../../src/observe/replica-observer.ts';

export const WORKLOADS: Readonly<Record<string, { name: string; namespace: string; cluster: string }>> = {
  '10.0.0.1': { name: 'productpage', namespace: 'bookinfo', cluster: 'cluster-1' },
  '10.0.0.2': { name: 'reviews', namespace: 'bookinfo', cluster: 'cluster-1' },
};

export interface SomeEntry {
  readonly path: string;
  readonly status?: number;
  /** Milliseconds after a fixed time. */
  readonly at?: number;
}

/** The time from which `at` counts. */
export const MOMENT: number = Date.parse('2026-03-01T00:00:00Z');

/** A message of ALS: requests of productpage to reviews. */
export function logMessage(entries: readonly SomeEntry[], logName = 'outbound'): Buffer {
  const message = messageFromJson(als.StreamAccessLogsMessageSchema, {
    identifier: { node: { id: 'n', cluster: 'n' }, log_name: logName },
    http_logs: {
      log_entry: entries.map(({ path, status = 200, at = 0 }) => ({
        common_properties: {
          start_time: new Date(MOMENT + at).toISOString(),
          duration: '0.012s',
          upstream_remote_address: { socket_address: { address: '10.0.0.2', port_value: 9080 } },
        },
        request: { request_method: 'GET', path },
        response: { response_code: status },
      })),
    },
  });
  return accessLogService.streamAccessLogs.requestSerialize(message as never);
}

export interface LoggingReplica {
  readonly sink: AccessLogSink;
  readonly edges: EdgeMetrics;
  readonly observer: ReplicaObserver;
  readonly counted: { sent: number; lost: number };
  /** Sends as the proxy of productpage. */
  send(...entries: readonly SomeEntry[]): void;
}

export function loggingReplica(replica: string, options: Partial<SinkOptions> = {}): LoggingReplica {
  const attribution = { cluster: 'cluster-1', workloadAt: (address: string) => WORKLOADS[address] };
  const edges = new EdgeMetrics({ attribution });
  const sink = new AccessLogSink({ attribution, observers: [edges], now: () => 0, ...options });
  const counted = { sent: 0, lost: 0 };
  const observer = new ReplicaObserver({
    replica,
    epoch: `${replica}-1`,
    sources: { sink, edges },
    counters: { sent: (count) => (counted.sent += count), lost: (count) => (counted.lost += count) },
    now: () => 1_000,
  });
  const stream = sink.openStream('10.0.0.1:4000');
  return { sink, edges, observer, counted, send: (...entries) => stream?.take(logMessage(entries)) };
}
