/** Prints what a change would write and delete. */
import process from 'node:process';
import { isEmptyPlan, plan } from '@meshrelay/relay-core';
import { type PlanOptions, plannedFleets } from '../offline/planned-fleet.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { planText } from './plan-text.ts';

export interface PlanCommandOptions extends PlanOptions {
  readonly output: OutputFormat;
}

/** The exit code becomes 2 if something would change. */
export async function printPlan(options: PlanCommandOptions): Promise<void> {
  const { before, after } = await plannedFleets(options);
  const document = plan(before, after);
  process.stdout.write(options.output === 'table' ? planText(document) : format(document, options.output));
  if (!isEmptyPlan(document)) process.exitCode = 2;
}
