/** Receives access logs and metrics of Envoy proxies. */
export {
  type Attribution,
  hostOf,
  type ReportedNode,
  type Reporter,
  type WorkloadRef,
} from './attribution/reporter.ts';
export { AlsDecoder, type MessageVisitor } from './codec/als-decoder.ts';
export { ALL_FIELDS, FIELD_NAMES, type Projection, projectionOf } from './codec/projection.ts';
export { type AccessLogEntry, type Direction, UPSTREAM_SAN_TAG } from './entry/access-log-entry.ts';
export type { AccessLogFields, FieldName, FilterStateObject, Texts } from './entry/access-log-fields.ts';
export { entryJson, entryLine } from './export/entry-json.ts';
export { type FileOptions, fileExporter } from './export/file-exporter.ts';
export {
  type ExportCounts,
  ExportError,
  type ExportOptions,
  type LogExporter,
  type RunningExport,
  runExport,
} from './export/log-exporter.ts';
export { type OtlpOptions, otlpExporter } from './export/otlp-exporter.ts';
export { streamExporter } from './export/stream-exporter.ts';
export { type CompiledRules, compileRules, KEEP_ALL, KEEP_NONE } from './filter/compiled-rules.ts';
export type { HeaderMatcher, LogFilter, LogRule, StatusCodeMatcher } from './filter/log-rule.ts';
export { patternProblem } from './filter/safe-pattern.ts';
export { type Edge, EdgeMetrics, type EdgeMetricsOptions } from './metrics/edge-metrics.ts';
export { DURATION_BOUNDS, type Durations, durationQuantile } from './metrics/latency.ts';
export type { Labels } from './metrics/metric-family.ts';
export { DEFAULT_METRICS, type MetricsCounts, MetricsSink, type MetricsSinkOptions } from './metrics/metrics-sink.ts';
export { PROMETHEUS_TYPE, prometheusText } from './metrics/prometheus-text.ts';
export type { Series, SeriesLimits } from './metrics/series-table.ts';
export { type SinkServer, type SinkServerOptions, startSinkServer } from './program/sink-server.ts';
export type { LogQuery, WorkloadQuery } from './query/log-query.ts';
export {
  limitOf,
  logQueryOf,
  ParameterError,
  QUERY_PARAMETERS,
  refuseUnknown,
  workloadOf,
} from './query/query-parameters.ts';
export type { SearchOptions, SearchResult } from './query/search-ring.ts';
export { DEFAULT_RING_LIMITS, type RingLimits } from './ring/log-ring.ts';
export { ACCESS_LOG_SERVICE, accessLogHandlers, type HandlerOptions } from './service/access-log-handlers.ts';
export { METRICS_SERVICE, metricsHandlers } from './service/metrics-handlers.ts';
export type { LogMethod, ServiceLog } from './service/service-log.ts';
export { AccessLogSink, type SinkOptions } from './sink/access-log-sink.ts';
export { type AllowanceOptions, DEFAULT_ALLOWANCE } from './sink/allowance.ts';
export type { LogStream } from './sink/log-stream.ts';
export type { SinkCounts } from './sink/sink-counts.ts';
export type { LogObserver } from './tail/audience.ts';
export type { LogTail, TailBatch, TailOptions } from './tail/log-tail.ts';
export { WireError } from './wire/wire-error.ts';
