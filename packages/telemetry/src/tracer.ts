/** Spans at stage boundaries, without any tracing library in sight. */

/** Values a span may carry. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Where a trace came from, as it travels in gRPC metadata or HTTP headers (`traceparent`). */
export type TraceCarrier = Readonly<Record<string, string>>;

/** A piece of work that is under way. */
export interface Span {
  /** Adds what became known on the way. */
  set(attributes: SpanAttributes): void;
}

/** How a span begins. */
export interface SpanOptions {
  readonly attributes?: SpanAttributes;
  /** The caller in another process; by default the span that is open here. */
  readonly parent?: TraceCarrier;
  /** Further work elsewhere that led to this. */
  readonly links?: readonly TraceCarrier[];
}

/** Opens spans. */
export interface Tracer {
  /**
   * Runs `work` inside a span named `stage.action` that ends when its promise settles; a rejection is recorded and
   * passed on.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T>;
  /** What to send along so that the other side continues the span that is open here; empty without one. */
  carrier(): TraceCarrier;
}

const silentSpan: Span = { set: () => {} };

/** Runs the work and records nothing. */
export const silentTracer: Tracer = {
  span: async (_name, _options, work) => work(silentSpan),
  carrier: () => ({}),
};
