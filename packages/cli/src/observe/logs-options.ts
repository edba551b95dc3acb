/** Options of meshctl logs. */

import type { ServerOptions } from '../commands/options.ts';
import type { OutputFormat } from '../output/format.ts';

export interface LogsOptions extends ServerOptions {
  readonly workload?: string;
  readonly cluster: readonly string[];
  readonly follow?: true;
  readonly status?: string;
  readonly path?: string;
  readonly method?: string;
  readonly source?: string;
  readonly destination?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly limit?: number;
  readonly output: OutputFormat;
}
