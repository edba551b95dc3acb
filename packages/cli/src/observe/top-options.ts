/** Options of meshctl top. */

import type { ServerOptions } from '../commands/options.ts';
import type { OutputFormat } from '../output/format.ts';

export interface TopOptions extends ServerOptions {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly workload?: string;
  readonly watch?: true;
  readonly limit: number;
  readonly output: OutputFormat;
}
