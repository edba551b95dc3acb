/** `meshctl translate`: what every cluster is to have, from files alone. */
import process from 'node:process';
import { statusDocument, valuesInOrder } from '@meshrelay/relay-core';
import type { Command } from 'commander';
import { type FleetOptions, fleetFrom, offlineOptions } from '../offline/fleet-options.ts';
import { fileName, refuseUsedFolder, writeFolder } from '../output/folder.ts';
import { type DataFormat, format } from '../output/format.ts';
import { policyLine } from '../output/policy-line.ts';
import { oneOf } from './options.ts';

interface TranslateOptions extends FleetOptions {
  readonly out?: string;
  readonly output: DataFormat;
}

export function addTranslate(program: Command): void {
  const command = program
    .command('translate')
    .summary('translate policies into the objects of each mesh, from files alone')
    .description(
      'Translates policies into the objects of each mesh, by the same code as the server and without any cluster.\nExits 0 when every policy is accepted, 2 when some is not (each is told on stderr, all else is written), 1 on bad input (nothing is written).',
    );
  offlineOptions(command)
    .option('--out <DIR>', 'write a file for each object, and status.json, into this new or empty folder')
    .option('-o, --output <json|yaml>', 'format', oneOf('json', 'yaml'), 'yaml')
    .addHelpText(
      'after',
      '\nExample:\n  meshctl translate --cluster cluster-1=east.yaml --cluster cluster-2=west/ --config policies.yaml --out result',
    )
    .action(translate);
}

async function translate(options: TranslateOptions): Promise<void> {
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
  const troubled = valuesInOrder(fleet.statuses).filter((judged) => judged.status.state !== 'ACCEPTED');
  if (troubled.length === 0) return;
  process.exitCode = 2;
  const more = troubled.length - MAX_TOLD;
  const lines = troubled.slice(0, MAX_TOLD).map((judged) => policyLine(judged.ref, judged.status));
  if (more > 0) lines.push(`and ${more} more`);
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Policies named on stderr; the document has all. */
const MAX_TOLD = 20;
