/**
 * `prepack` of every public package: builds it. With the name of a program, it puts that too, into `dist/<name>`. npm
 * itself ignores `publishConfig.exports`, and so would pack sources as entries.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const { npm_config_user_agent: client = '', npm_package_name: name = 'this package' } = process.env;
if (!client.startsWith('pnpm/')) {
  console.error(`${name} is packed by pnpm only: run \`npm run pnpm -- --filter ${name} pack\` in the root.`);
  process.exit(1);
}

/** @param {readonly string[]} args */
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
node(typescript.replace(/package\.json$/, 'bin/tsc'), '-b');
const [, , program] = process.argv;
if (program !== undefined)
  node(fileURLToPath(new URL('../../tools/programs/src/pack.ts', import.meta.url)), program, `dist/${program}`);
