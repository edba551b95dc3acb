/** `meshctl translate`: prints the desired objects of every cluster, from files only. */

import type { Command } from 'commander';
import { offlineOptions } from '../offline/fleet-options.ts';
import type { TranslateOptions } from '../offline/translate.ts';
import { manifestOption } from './options.ts';

export function addTranslate(program: Command): void {
  const command = program
    .command('translate')
    .summary('translate policies into the resources of each mesh, from files')
    .description(
      'Translates policies into the resources of each mesh with the code of the server, without a cluster.\nExits 0 if every policy is accepted, 2 if one is not (outputs of the others are written), 1 on bad input (nothing is written). Policies that are not accepted, or that have warnings, are printed to stderr.',
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
