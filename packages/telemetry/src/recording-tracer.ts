/** A tracer that stores its spans in memory, for tests of traced code. */
import type { Span, SpanAttributes, SpanOptions, TraceCarrier, Tracer } from './tracer.ts';

export interface RecordedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly parent: TraceCarrier | undefined;
  readonly links: readonly TraceCarrier[];
  readonly failed: boolean;
}

/** `spans` is in the order in which the spans ended. */
export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];

  async span<T>(name: string, options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T> {
    const attributes: Record<string, string | number | boolean> = { ...options.attributes };
    const { parent, links = [] } = options;
    let failed = true;
    try {
      const result = await work({ set: (more) => void Object.assign(attributes, more) });
      failed = false;
      return result;
    } finally {
      this.spans.push({ name, attributes, parent, links, failed });
    }
  }

  carrier(): TraceCarrier {
    return {};
  }
}
