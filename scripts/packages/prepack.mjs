/** `prepack` of every public package: builds it. npm itself ignores `publishConfig.exports`, and so would pack sources as entries. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

const { npm_config_user_agent: client = '', npm_package_name: name = 'this package' } = process.env;
if (!client.startsWith('pnpm/')) {
  console.error(`${name} is packed by pnpm only: run \`npm run pnpm -- --filter ${name} pack\` in the root.`);
  process.exit(1);
}
const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
const { status } = spawnSync(process.execPath, [typescript.replace(/package\.json$/, 'bin/tsc'), '-b'], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
