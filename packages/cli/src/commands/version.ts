/** `meshctl version`. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };

export function addVersion(program: Command): void {
  program
    .command('version')
    .summary('show the versions of this program and of what it speaks')
    .action(() => {
      process.stdout.write(
        `meshctl ${manifest.version}\napi ${VERSION}\nplugin contract 1\nnode ${process.versions.node}\n`,
      );
    });
}
