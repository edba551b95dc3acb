/** Envoy's own validation of a configuration, without running it. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import type { EnvoyProgram } from './program.ts';

/**
 * Runs `envoy --mode validate` on a bootstrap with static resources. Also finds dangling references, which xDS permits.
 * @returns undefined if Envoy accepts it, else its output
 */
export async function envoyRejects(
  program: EnvoyProgram,
  bootstrap: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  using folder = temporaryFolder();
  const config = join(folder.path, 'bootstrap.json');
  writeFileSync(config, JSON.stringify(bootstrap));
  const args = ['--mode', 'validate', '-c', config, '--disable-hot-restart', '--log-level', 'error'];
  return await new Promise((resolve, reject) => {
    execFile(program.path, args, { cwd: folder.path }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve(error === null ? undefined : `${stdout}${stderr}`.trim());
    });
  });
}
