/** Prints or writes the objects that follow from policies, and their statuses. */
import process from 'node:process';
import type { PolicyStatus } from '@meshrelay/api';
import { statusDocument, valuesInOrder } from '@meshrelay/relay-core';
import { fileName, refuseUsedFolder, writeFolder } from '../output/folder.ts';
import { type DataFormat, format } from '../output/format.ts';
import { plain } from '../output/plain.ts';
import { policyLine } from '../output/policy-line.ts';
import { fleetFrom } from './fleet-from.ts';
import type { FleetOptions } from './fleet-options.ts';

export interface TranslateOptions extends FleetOptions {
  readonly out?: string;
  readonly output: DataFormat;
}

export async function translate(options: TranslateOptions): Promise<void> {
  if (options.out !== undefined) refuseUsedFolder(options.out);
  const fleet = await fleetFrom(options);
  const status = statusDocument(fleet);
  const objects = valuesInOrder(fleet.desired);
  if (options.out !== undefined) {
    const files = new Map<string, unknown>(
      objects.map((desired) => [fileName(desired, options.output), desired.object]),
    );
    writeFolder(options.out, files.set('status.json', status), options.output);
  } else {
    const items = objects.map(({ cluster, object }) => ({ cluster, object }));
    process.stdout.write(format({ items, status }, options.output));
  }
  const evaluated = valuesInOrder(fleet.statuses);
  if (evaluated.some(({ status }) => status.state !== 'ACCEPTED')) process.exitCode = 2;
  const reported = evaluated.filter(({ status }) => status.state !== 'ACCEPTED' || isDoubtful(status));
  const more = reported.length - MAX_REPORTED;
  const lines = reported.slice(0, MAX_REPORTED).map(({ ref, status: its }) => policyLine(ref, its));
  if (more > 0) lines.push(`and ${more} more`);
  if (lines.length > 0) process.stderr.write(`${lines.map(plain).join('\n')}\n`);
}

/**
 * Accepted with a warning, for example if it selects no targets. Only a running fleet can establish trust, so that
 * warning is ignored.
 */
function isDoubtful({ reports, targets }: Pick<PolicyStatus, 'reports' | 'targets'>): boolean {
  return [...reports, ...targets.flatMap((target) => target.reports)].some(
    ({ severity, code }) => severity === 'warning' && code !== 'TRUST_NOT_ESTABLISHED',
  );
}

/** Maximum number of policies printed to stderr; the document has all. */
const MAX_REPORTED = 20;
