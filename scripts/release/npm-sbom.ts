/** What the npm packages need, from the lockfile. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sbom } from './sbom.ts';

/** The SBOM of each package. @throws Error with pnpm's messages */
export function npmSboms(root: string, names: readonly string[]): readonly Sbom[] {
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-sbom-'));
  try {
    const filters = names.map((name) => `--filter=${name}`);
    const format = ['--sbom-format=cyclonedx', '--sbom-spec-version=1.6', '--prod', '--split', '--out'];
    const out = join(folder, '%s.json');
    execFileSync('pnpm', ['sbom', ...filters, ...format, out], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Sbom);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
