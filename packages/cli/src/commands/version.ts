/** `meshctl version`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import { versionText } from '@meshrelay/telemetry/build-info';
import type { Command } from 'commander';

export function addVersion(program: Command): void {
  const versions = versionText('meshctl', { api: VERSION, 'plugin contract': 1 });
  program.version(versions.trimEnd(), '-V, --version', 'show the versions of this program and of what it speaks');
  program
    .command('version')
    .summary('show the versions of this program and of what it speaks')
    .description(
      'Shows the version of this program and its commit, the versions of our kinds and of the plugin contract, and the Node it runs on.',
    )
    .addHelpText('after', '\nExample:\n  meshctl version')
    .action(() => {
      process.stdout.write(versions);
    });
}
