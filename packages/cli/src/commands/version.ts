/** `meshctl version`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

const VERSIONS = `meshctl ${manifest.version}\napi ${VERSION}\nplugin contract 1\nnode ${process.versions.node}`;

export function addVersion(program: Command): void {
  program.version(VERSIONS, '-V, --version', 'print client and API versions');
  program
    .command('version')
    .summary('print client and API versions')
    .description('Prints the versions of meshctl, of the Meshrelay APIs, of the plugin contract and of Node.')
    .addHelpText('after', '\nExample:\n  meshctl version')
    .action(() => {
      process.stdout.write(`${VERSIONS}\n`);
    });
}
