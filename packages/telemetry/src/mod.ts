/** Logs, metrics, health and traces of Meshrelay programs: a program creates them once and passes them to its parts. */
export { type HealthCheck, type HealthOptions, type HealthRoute, type HealthServer, serveHealth } from './health.ts';
export {
  createLogger,
  type LogDestination,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
  silentLogger,
} from './logger.ts';
export {
  type CounterMetric,
  type CounterOptions,
  createMetrics,
  type GaugeMetric,
  type GaugeOptions,
  type HistogramMetric,
  type HistogramOptions,
  type Labels,
  type MetricOptions,
  type Metrics,
  type MetricsOptions,
} from './metrics.ts';
export { type RecordedSpan, RecordingTracer } from './recording-tracer.ts';
export { isSecretName, redact, redactText, redactWhole } from './redact.ts';
export { traceOf } from './trace-of.ts';
export {
  type Span,
  type SpanAttributes,
  type SpanOptions,
  silentTracer,
  type TraceCarrier,
  type Tracer,
} from './tracer.ts';
export { isTracingRequested, startTracing, type Tracing, type TracingOptions } from './tracing.ts';
