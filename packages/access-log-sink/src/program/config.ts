/** Configuration of the program: a YAML file, and flags that take precedence. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import * as z from 'zod';
import type { FileOptions } from '../export/file-exporter.ts';
import type { OtlpOptions } from '../export/otlp-exporter.ts';
import type { LogRule } from '../filter/log-rule.ts';
import { patternProblem } from '../filter/safe-pattern.ts';
import type { RingLimits } from '../ring/log-ring.ts';

const address = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]+):\d{1,5}$/, 'expected HOST:PORT, an IPv6 address in brackets');
const names = z.array(z.string().toLowerCase()).default([]);
const count = z.int().min(1);

const headerMatcher = z
  .strictObject({
    name: z.string().toLowerCase(),
    value: z.string().exactOptional(),
    regex: z.boolean().exactOptional(),
    invertMatch: z.boolean().exactOptional(),
  })
  .superRefine(({ value, regex }, context) => {
    const problem = regex === true ? patternProblem(value ?? '') : undefined;
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['value'], message: `"${value}" ${problem}` });
  });

const filter = z
  .strictObject({
    statusCodeMatcher: z
      .strictObject({ value: z.int().min(0).max(999), comparator: z.enum(['EQ', 'GE', 'LE']) })
      .exactOptional(),
    headerMatcher: headerMatcher.exactOptional(),
  })
  .refine((one) => Object.keys(one).length === 1, 'expected one of statusCodeMatcher and headerMatcher');

const rule = z.strictObject({
  name: z.string().default('rule'),
  filters: z.array(filter).default([]),
  includedRequestHeaders: names,
  includedResponseHeaders: names,
  includedResponseTrailers: names,
  includedFilterStateObjects: names,
});

const schema = z.strictObject({
  listen: address.default('0.0.0.0:9977'),
  http: address.default('127.0.0.1:9091'),
  cluster: z.string().default('default'),
  workloads: z
    .array(z.strictObject({ address: z.string(), name: z.string(), namespace: z.string().default('default') }))
    .default([]),
  rules: z.array(rule).exactOptional(),
  ring: z
    .strictObject({ bytes: count.exactOptional(), entries: count.exactOptional(), entryBytes: count.exactOptional() })
    .default({}),
  queue: count.default(10_000),
  stdout: z.boolean().default(false),
  file: z
    .strictObject({ path: z.string(), maxBytes: count.exactOptional(), maxFiles: z.int().min(0).exactOptional() })
    .exactOptional(),
  otlp: z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).exactOptional() }).exactOptional(),
});

/** Configuration in the format of the file. */
export interface ProgramConfig {
  /** Listen address for Envoys: HOST:PORT. */
  readonly listen: string;
  /** Health, metrics and queries, without authentication: on loopback by default. */
  readonly http: string;
  /** Name of this cluster. */
  readonly cluster: string;
  /** Addresses of workloads. */
  readonly workloads: readonly { readonly address: string; readonly name: string; readonly namespace: string }[];
  /** Retention rules for all entries; by default everything is retained. */
  readonly rules?: readonly LogRule[];
  readonly ring: Partial<RingLimits>;
  /** Entries that may wait for each destination. */
  readonly queue: number;
  readonly stdout: boolean;
  readonly file?: FileOptions;
  readonly otlp?: Pick<OtlpOptions, 'url' | 'headers'>;
}

export const USAGE = `access-log-sink [--config FILE] [--listen HOST:PORT] [--http HOST:PORT] [--cluster NAME]
                [--stdout] [--file PATH] [--otlp URL] | --help | --version

Receives access logs and metrics of Envoys. Flags win over the file.
`;

/** @returns 'help' or 'version' if requested. @throws Error that names the flag or the field, and the expected value */
export function readConfig(
  args: readonly string[],
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ProgramConfig | 'help' | 'version' {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: text,
      listen: text,
      http: text,
      cluster: text,
      file: text,
      otlp: text,
      stdout: { type: 'boolean' },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const { config, file, otlp, help: _, version: __, ...plain } = values;
  const given = config === undefined ? {} : asMap(parse(read(config)), config);
  const merged = {
    ...given,
    ...plain,
    ...(file !== undefined && { file: { ...asMap(given['file'] ?? {}, 'file'), path: file } }),
    ...(otlp !== undefined && { otlp: { ...asMap(given['otlp'] ?? {}, 'otlp'), url: otlp } }),
  };
  const { data, error } = schema.safeParse(merged);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'configuration'}: ${message}`);
  throw new Error(problems.join('; '));
}

function asMap(value: unknown, what: string): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(`${what}: expected a map`);
  return value as Record<string, unknown>;
}
