/** Destinations to which an agent sends the access logs that it receives. */
import * as z from 'zod';

/** `accessLogs.export`. Exports nothing by default. */
export interface LogExportConfig {
  /** Writes to standard output, as lines of JSON between the agent's own log lines. */
  readonly stdout: boolean;
  /** Writes to a file that is rotated at a size. */
  readonly file: {
    readonly path?: string | undefined;
    readonly maxBytes: number;
    /** Number of rotated files to keep. */
    readonly maxFiles: number;
  };
  /** Sends to an OpenTelemetry collector, by OTLP over HTTP. */
  readonly otlp: { readonly url?: string | undefined };
  /** Entries that may wait for each destination. Above that number, the oldest are dropped and counted. */
  readonly queue: number;
}

/** Outside files, every value is text. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const whole = (least: number) => z.coerce.number().int().min(least);

/** The agent logs its configuration, and passwords must not be in the log. */
const collectorUrl = z
  .url({
    protocol: /^https?$/,
    error: 'expected the URL of a collector, such as http://collector.observe:4318/v1/logs',
  })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'expected a URL without a user and a password');

export const logExportConfig: z.ZodType<LogExportConfig> = z
  .strictObject({
    stdout: flag.default(false),
    file: z
      .strictObject({
        path: z.string().min(1).optional(),
        maxBytes: whole(1).default(64 * 1024 * 1024),
        maxFiles: whole(0).default(5),
      })
      .prefault({}),
    otlp: z.strictObject({ url: collectorUrl.optional() }).prefault({}),
    queue: whole(1).default(10_000),
  })
  .prefault({});
