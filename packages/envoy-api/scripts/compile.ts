/** Runs buf's compiler with protoc-gen-es. Both come from npm and need no network. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const OPTIONS = ['target=ts', 'import_extension=ts', 'erasable_syntax=true'];
/** Other versions generate other text. */
export const VERSIONS = JSON.stringify([versionOf('@bufbuild/buf'), versionOf('@bufbuild/protoc-gen-es'), ...OPTIONS]);

/** Compiles `proto/` of a package into a folder. */
export function compile(packageFolder: string, output: string): void {
  const template = {
    version: 'v2',
    plugins: [{ local: 'protoc-gen-es', out: output, opt: OPTIONS }],
  };
  execFileSync('buf', ['generate', 'proto', '--template', JSON.stringify(template)], {
    cwd: packageFolder,
    env: {
      ...process.env,
      PATH: [join(packageFolder, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function versionOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return `${name} ${(JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version}`;
}
