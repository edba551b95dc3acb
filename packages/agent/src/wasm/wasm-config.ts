/** What an installation says of modules for its Envoys. */
import { z } from 'zod';
import { entryProblem } from './fetch/allow-list.ts';

export interface WasmConfig {
  /** Hosts from which modules may be fetched, and addresses that are no public ones but may be called all the same. */
  readonly hosts: readonly string[];
  /** Of one module, at most. */
  readonly maxBytes: number;
  /** Seconds that fetching a module may take. */
  readonly timeoutSeconds: number;
  /** Where modules are kept between restarts. */
  readonly cacheDirectory: string;
  /** Of all that is kept there, at most. */
  readonly cacheBytes: number;
}

const MEBIBYTE = 1024 * 1024;

const host = z.string().superRefine((text, context) => {
  const problem = entryProblem(text);
  if (problem !== undefined) context.addIssue(problem);
});

/** Lists come as text with commas from where there are no lists. */
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
