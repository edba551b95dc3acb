/** OpenTelemetry, loaded only if the environment enables it. */
import type { Attributes, Span as OtelSpan } from '@opentelemetry/api';
import { type Span, silentTracer, type TraceCarrier, type Tracer } from './tracer.ts';

/** A tracer with its disposal, which flushes pending spans. */
export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer;
  /** False if nothing is recorded. */
  readonly recording: boolean;
}

export interface TracingOptions {
  /** The program: `agent`, `mgmt-server`, …; OTEL_SERVICE_NAME takes precedence. */
  readonly serviceName: string;
  /** The environment that decides; the SDK reads the destination of spans from the same variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const EXPORTERS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'];

/** Whether the environment enables traces: it sets an OTLP endpoint or an exporter, and does not disable the SDK. */
export function isTracingRequested(env: TracingOptions['env']): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return EXPORTERS.some((name) => (env[name] ?? '') !== '');
}

/**
 * Starts the OpenTelemetry SDK if the environment enables it, else returns a tracer that records nothing.
 * @throws Error if it is enabled and its packages are not installed.
 */
export async function startTracing({ serviceName, env }: TracingOptions): Promise<Tracing> {
  if (!isTracingRequested(env))
    return { tracer: silentTracer, recording: false, [Symbol.asyncDispose]: async () => {} };
  const [api, { NodeSDK }] = await loadSdk();
  const sdk = new NodeSDK({ serviceName: env['OTEL_SERVICE_NAME'] ?? serviceName, instrumentations: [] });
  sdk.start();
  return {
    tracer: tracerOn(api, serviceName),
    recording: true,
    [Symbol.asyncDispose]: () => sdk.shutdown(),
  };
}

type Api = typeof import('@opentelemetry/api');

async function loadSdk(): Promise<[Api, typeof import('@opentelemetry/sdk-node')]> {
  try {
    return await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/sdk-node')]);
  } catch (cause) {
    const message =
      'OTEL_* variables request traces, but @opentelemetry/api and @opentelemetry/sdk-node cannot be loaded; ' +
      'install them or set OTEL_SDK_DISABLED=true';
    throw new Error(message, { cause });
  }
}

/** The tracer of a program on the globally registered provider. */
function tracerOn(api: Api, name: string): Tracer {
  const tracer = api.trace.getTracer(name);
  const extract = (carrier: TraceCarrier) => api.propagation.extract(api.context.active(), { ...carrier });
  const wrap = (span: OtelSpan): Span => ({ set: (attributes) => void span.setAttributes(attributes as Attributes) });
  return {
    span(spanName, { attributes = {}, parent, links = [] }, work) {
      const context = parent === undefined ? api.context.active() : extract(parent);
      const linked = links.flatMap((link) => api.trace.getSpanContext(extract(link)) ?? []);
      const options = { attributes: { ...attributes }, links: linked.map((spanContext) => ({ context: spanContext })) };
      return tracer.startActiveSpan(spanName, options, context, async (span) => {
        try {
          return await work(wrap(span));
        } catch (error) {
          span.recordException(error instanceof Error ? error : new Error(String(error)));
          span.setStatus({ code: api.SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    carrier() {
      const carrier: Record<string, string> = {};
      api.propagation.inject(api.context.active(), carrier);
      return carrier;
    },
  };
}
