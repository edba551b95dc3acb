/** The program: a sink with its services, its exports and its HTTP server. */
import process from 'node:process';
import type { Attribution } from '../attribution/reporter.ts';
import { fileExporter } from '../export/file-exporter.ts';
import { type LogExporter, type RunningExport, runExport } from '../export/log-exporter.ts';
import { otlpExporter } from '../export/otlp-exporter.ts';
import { streamExporter } from '../export/stream-exporter.ts';
import { compileRules } from '../filter/compiled-rules.ts';
import { EdgeMetrics } from '../metrics/edge-metrics.ts';
import { MetricsSink } from '../metrics/metrics-sink.ts';
import { prometheusText } from '../metrics/prometheus-text.ts';
import type { ServiceLog } from '../service/service-log.ts';
import { AccessLogSink } from '../sink/access-log-sink.ts';
import type { ProgramConfig } from './config.ts';
import { serveHttp } from './http-server.ts';
import { ownMetrics } from './own-metrics.ts';
import { startSinkServer } from './sink-server.ts';

/** The running program. Disposal drains Envoys, writes entries that wait for exports, and closes everything. */
export interface Running extends AsyncDisposable {
  /** Port for Envoys. */
  readonly port: number;
  readonly httpPort: number;
  readonly sink: AccessLogSink;
}

/** @throws the error of listening */
export async function run(config: ProgramConfig, log: ServiceLog): Promise<Running> {
  await using started = new AsyncDisposableStack();
  const attribution = attributionOf(config);
  const edges = new EdgeMetrics({ attribution });
  const rules = config.rules === undefined ? undefined : compileRules(config.rules);
  const sink = started.use(
    new AccessLogSink({
      attribution,
      observers: [edges],
      ring: config.ring,
      ...(rules && { rulesFor: () => rules }),
    }),
  );
  const metrics = new MetricsSink({ attribution });
  const exports = exportersOf(config).map(
    (exporter): RunningExport =>
      started.use(
        runExport(sink.tail({ intermediate: true }, { capacity: config.queue }), exporter, {
          onDropped: (error, entries) => log.warn({ exporter: exporter.name, entries, err: error }, 'entries given up'),
        }),
      ),
  );
  let ending = false;
  const text = (): string =>
    `${prometheusText(metrics.series(), edges.edges())}${ownMetrics(sink, metrics, edges, exports)}`;
  const http = started.use(await serveHttp({ ...hostAndPort(config.http), sink, metrics: text, ready: () => !ending }));
  const server = started.use(await startSinkServer({ ...hostAndPort(config.listen), sink, metrics, log }));
  started.defer(() => {
    ending = true;
  });
  const whole = started.move();
  return { port: server.port, httpPort: http.port, sink, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

function attributionOf({ cluster, workloads }: ProgramConfig): Attribution {
  const known = new Map(workloads.map(({ address, name, namespace }) => [address, { name, namespace, cluster }]));
  return { cluster, workloadAt: (address) => known.get(address) };
}

function exportersOf({ stdout, file, otlp }: ProgramConfig): LogExporter[] {
  return [
    ...(stdout ? [streamExporter('stdout', process.stdout)] : []),
    ...(file === undefined ? [] : [fileExporter(file)]),
    ...(otlp === undefined ? [] : [otlpExporter(otlp)]),
  ];
}

/** `HOST:PORT`, as validated by the schema. */
function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)) };
}
