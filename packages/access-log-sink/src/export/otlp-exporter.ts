/** Exports log records by OTLP over HTTP, as JSON (opentelemetry-proto, `ExportLogsServiceRequest`). */
import type { AccessLogEntry } from '../entry/access-log-entry.ts';
import { ExportError, type LogExporter } from './log-exporter.ts';
import { logsRequest } from './otlp-records.ts';

export interface OtlpOptions {
  /** URL of the collector: `http://collector:4318/v1/logs`. */
  readonly url: string;
  /** For example an authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of a response in milliseconds; 10 s by default. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
}

/** Status codes that OTLP's specification declares retryable. */
const AGAIN = new Set([429, 502, 503, 504]);

export function otlpExporter({
  url,
  headers = {},
  timeout = 10_000,
  fetch: request = fetch,
}: OtlpOptions): LogExporter {
  return {
    name: 'otlp',
    async write(entries: readonly AccessLogEntry[]) {
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(logsRequest(entries)),
        signal: AbortSignal.timeout(timeout),
      });
      const body = await response.text();
      if (!response.ok)
        throw new ExportError(`${url} answered ${response.status}`, { retry: AGAIN.has(response.status) });
      // These are rejected permanently; sending everything again would duplicate the rest.
      return Math.min(entries.length, rejectedRecords(body));
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** `partialSuccess.rejectedLogRecords`, a 64-bit integer and so a text in JSON. */
function rejectedRecords(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedLogRecords?: string | number } };
    return Number(partialSuccess?.rejectedLogRecords ?? 0);
  } catch {
    // A collector that responds 200 with another body has accepted all records.
    return 0;
  }
}
