/**
 * Exports access logs from the agent as they arrive, to every configured destination. Each replica exports what it
 * receives itself.
 */
import process from 'node:process';
import {
  type AccessLogSink,
  fileExporter,
  type LogExporter,
  otlpExporter,
  type RunningExport,
  runExport,
  streamExporter,
} from '@meshrelay/access-log-sink';
import type { Logger } from '@meshrelay/telemetry';
import type { LogExportConfig } from '../../config/log-export.ts';

export class LogExports implements AsyncDisposable {
  readonly #running: readonly RunningExport[];

  constructor(sink: AccessLogSink, config: LogExportConfig, logger: Logger) {
    this.#running = exportersOf(config).map((exporter) =>
      // `intermediate`: long connections are exported while they last, and not only at their end.
      runExport(sink.tail({ intermediate: true }, { capacity: config.queue }), exporter, {
        onDropped: (error, entries) =>
          logger.warn('access logs were dropped, because the exporter does not accept them', {
            exporter: exporter.name,
            entries,
            error,
          }),
      }),
    );
  }

  /** Running exports, with counts of delivered and lost entries. */
  get running(): readonly Pick<RunningExport, 'name' | 'counts'>[] {
    return this.#running;
  }

  /** Writes waiting entries, once. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((one) => one[Symbol.asyncDispose]()));
  }
}

function exportersOf({ stdout, file: { path, ...sizes }, otlp: { url } }: LogExportConfig): LogExporter[] {
  return [
    ...(stdout ? [streamExporter('stdout', process.stdout)] : []),
    ...(path === undefined ? [] : [fileExporter({ path, ...sizes })]),
    ...(url === undefined ? [] : [otlpExporter({ url })]),
  ];
}
