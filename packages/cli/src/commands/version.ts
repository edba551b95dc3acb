/** `meshctl version`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

const VERSIONS = `meshctl ${manifest.version}\napi ${VERSION}\nplugin contract 1\nnode ${process.versions.node}`;

export function addVersion(program: Command): void {
  program.version(VERSIONS, '-V, --version', 'show the versions of this program and of what it speaks');
  program
    .command('version')
    .summary('show the versions of this program and of what it speaks')
    .description(
      'Shows the versions of this program, of our kinds and of the plugin contract, and the Node it runs on.',
    )
    .addHelpText('after', '\nExample:\n  meshctl version')
    .action(() => {
      process.stdout.write(`${VERSIONS}\n`);
    });
}
