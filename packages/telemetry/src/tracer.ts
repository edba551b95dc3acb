/** Spans at stage boundaries, independent of any tracing library. */

/** Attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Context of a trace, as sent in gRPC metadata or HTTP headers (`traceparent`). */
export type TraceCarrier = Readonly<Record<string, string>>;

/** Work in progress. */
export interface Span {
  /** Adds attributes found during the work. */
  set(attributes: SpanAttributes): void;
}

/** Options of a new span. */
export interface SpanOptions {
  readonly attributes?: SpanAttributes;
  /** The caller in another process; by default the present local span. */
  readonly parent?: TraceCarrier;
  /** Other work that led to this. */
  readonly links?: readonly TraceCarrier[];
}

export interface Tracer {
  /**
   * Runs `work` inside a span named `stage.action` that ends when its promise settles; a rejection is recorded and
   * rethrown.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T>;
  /** Headers with which the other side continues the present span; empty without one. */
  carrier(): TraceCarrier;
}

const silentSpan: Span = { set: () => {} };

/** Runs the work and records nothing. */
export const silentTracer: Tracer = {
  span: async (_name, _options, work) => work(silentSpan),
  carrier: () => ({}),
};
