/** Where an agent sends the access logs that it receives. */
import { z } from 'zod';

/** `accessLogs.export`. Nothing where nothing is set. */
export interface LogExportConfig {
  /** To standard output, as lines of JSON beside the agent's own. */
  readonly stdout: boolean;
  /** To a file that begins anew at a size. */
  readonly file: {
    readonly path?: string | undefined;
    readonly maxBytes: number;
    /** Old ones that are kept. */
    readonly maxFiles: number;
  };
  /** To a collector of OpenTelemetry, by OTLP over HTTP. */
  readonly otlp: { readonly url?: string | undefined };
  /** Entries that may wait for each of these; then the oldest are lost, with a count. */
  readonly queue: number;
}

/** Outside files all is text. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const whole = (least: number) => z.coerce.number().int().min(least);

/** The configuration is in the agent's log, and a password must not be. */
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
