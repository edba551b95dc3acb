/** Configuration of modules for Envoys of an installation. */
import * as z from 'zod';
import { entryProblem } from './fetch/allow-list.ts';

export interface WasmConfig {
  /** Hosts from which modules may be fetched, and allowed addresses that are not public. */
  readonly hosts: readonly string[];
  /** Limit per module. */
  readonly maxBytes: number;
  /** Timeout in seconds to fetch a module. */
  readonly timeoutSeconds: number;
  /** Directory that keeps modules between restarts. */
  readonly cacheDirectory: string;
  /** Limit of the directory for all modules. */
  readonly cacheBytes: number;
}

const MEBIBYTE = 1024 * 1024;

const host = z.string().superRefine((text, context) => {
  const problem = entryProblem(text);
  if (problem !== undefined) context.addIssue(problem);
});

/** Sources without lists give text with commas. */
const hosts = z.preprocess(
  (given) =>
    typeof given === 'string'
      ? given
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean)
      : given,
  z.array(host),
);

export const wasmConfig: z.ZodType<WasmConfig> = z
  .strictObject({
    hosts: hosts.default([]),
    maxBytes: z.coerce
      .number()
      .int()
      .min(1)
      .max(64 * MEBIBYTE)
      .default(16 * MEBIBYTE),
    timeoutSeconds: z.coerce.number().int().min(1).max(600).default(60),
    cacheDirectory: z.string().min(1).default('/tmp/meshrelay-wasm'),
    cacheBytes: z.coerce
      .number()
      .int()
      .min(0)
      .default(256 * MEBIBYTE),
  })
  .prefault({});
