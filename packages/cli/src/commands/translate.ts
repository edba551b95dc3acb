/** `meshctl translate`: prints the desired objects of every cluster, from files only. */

import type { Command } from 'commander';
import { offlineOptions } from '../offline/fleet-options.ts';
import type { TranslateOptions } from '../offline/translate.ts';
import { manifestOption } from './options.ts';

export function addTranslate(program: Command): void {
  const command = program
    .command('translate')
    .summary('translate policies into the objects of each mesh, from files alone')
    .description(
      'Translates policies into the objects of each mesh, by the same code as the server and without any cluster.\nExits 0 when every policy is accepted, 2 when some is not (all else is written), 1 on bad input (nothing is written). Policies that are not accepted, or of which something is in doubt, are told on stderr.',
    );
  offlineOptions(command)
    .option('--out <DIR>', 'write a file for each object, and status.json, into this new or empty folder')
    .addOption(manifestOption())
    .addHelpText(
      'after',
      '\nExample:\n  meshctl translate --cluster cluster-1=east.yaml --cluster cluster-2=west/ --config policies.yaml --out result',
    )
    .action(async (options: TranslateOptions) => (await import('../offline/translate.ts')).translate(options));
}
