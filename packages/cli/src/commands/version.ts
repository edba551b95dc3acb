/** `meshctl version`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import { versionText } from '@meshrelay/telemetry/build-info';
import type { Command } from 'commander';

export function addVersion(program: Command): void {
  const versions = versionText('meshctl', { api: VERSION, 'plugin contract': 1 });
  program.version(versions.trimEnd(), '-V, --version', 'print client and API versions');
  program
    .command('version')
    .summary('print client and API versions')
    .description(
      'Prints the version and commit of meshctl, and the versions of the Meshrelay APIs, of the plugin contract and of Node.',
    )
    .addHelpText('after', '\nExample:\n  meshctl version')
    .action(() => {
      process.stdout.write(versions);
    });
}
