/** A standalone server for the services of this package. */
import { setTimeout as pause } from 'node:timers/promises';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import { ACCESS_LOG_SERVICE, accessLogHandlers } from '../service/access-log-handlers.ts';
import { METRICS_SERVICE, metricsHandlers } from '../service/metrics-handlers.ts';
import type { ServiceLog } from '../service/service-log.ts';
import type { AccessLogSink } from '../sink/access-log-sink.ts';

export interface SinkServerOptions {
  readonly sink: AccessLogSink;
  /** Receives MetricsService; without it the server does not offer the service. */
  readonly metrics?: MetricsSink;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly log?: ServiceLog;
  /**
   * Milliseconds for Envoys to reconnect to another replica during shutdown; 3 s by default, as they write once per
   * second.
   */
  readonly grace?: number;
}

/** Disposal drains the server: streams end gracefully, connections close, then everything is closed. */
export interface SinkServer extends AsyncDisposable {
  readonly port: number;
}

const GRACE = 3_000;

/** Plaintext: the source address identifies the sender. @throws the listen error */
export async function startSinkServer({
  sink,
  metrics,
  host,
  port,
  log,
  grace = GRACE,
}: SinkServerOptions): Promise<SinkServer> {
  // Envoy's first message has 61 KB of node information; a batch has 16 KB. gRPC's own limit of 4 MiB leaves room for
  // unusual settings.
  const server = new Server({ 'grpc.max_concurrent_streams': 100 });
  const draining = new AbortController();
  const options = { draining: draining.signal, ...(log !== undefined && { log }) };
  server.addService(ACCESS_LOG_SERVICE, accessLogHandlers(sink, options));
  if (metrics !== undefined) server.addService(METRICS_SERVICE, metricsHandlers(metrics, options));
  const address = host.includes(':') ? `[${host}]` : host;
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${address}:${port}`, ServerCredentials.createInsecure(), (error, at) =>
      error === null ? resolve(at) : reject(error),
    );
  });
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      // First announces the shutdown (GOAWAY), so streams that end are opened on another server.
      server.drain(`${address}:${bound}`, grace);
      draining.abort();
      await Promise.race([untilIdle(sink, metrics), pause(grace, undefined, { ref: false })]);
      server.forceShutdown();
    },
  };
}

/** Waits until no stream is open. */
async function untilIdle(sink: AccessLogSink, metrics: MetricsSink | undefined): Promise<void> {
  while (sink.counts.streams > 0 || (metrics?.counts.streams ?? 0) > 0) await pause(20, undefined, { ref: false });
}
