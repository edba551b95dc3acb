/** When the locked dependencies are installed again, and when not. A fake pnpm counts its calls. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { dependenciesInstalled, installDependencies } from '../../bootstrap/dependencies.mjs';

test('installs once, then not again', async () => {
  using checkout = newCheckout();
  assert.not(dependenciesInstalled(checkout.path));
  await install(checkout.path);
  assert.ok(dependenciesInstalled(checkout.path));
  assert.match(readFileSync(join(checkout.path, 'calls'), 'utf8'), /^install --frozen-lockfile/);
});

for (const [what, change] of [
  ['the lockfile changed', (root: string) => appendFileSync(join(root, 'pnpm-lock.yaml'), '# more\n')],
  ['the catalog changed', (root: string) => appendFileSync(join(root, 'pnpm-workspace.yaml'), '# more\n')],
  ['node_modules is gone', (root: string) => rmSync(join(root, 'node_modules'), { recursive: true })],
  [
    'a package lost its node_modules',
    (root: string) => rmSync(join(root, 'packages/a/node_modules'), { recursive: true }),
  ],
] as const) {
  test(`installs again when ${what}`, async () => {
    using checkout = newCheckout();
    await install(checkout.path);
    change(checkout.path);
    assert.not(dependenciesInstalled(checkout.path));
  });
}

test('a failed installation does not count as a good one', async () => {
  using checkout = newCheckout('exit 1');
  const error = await install(checkout.path).catch((reason: Error) => reason);
  assert.match((error as Error).message, /npm run pnpm -- install/);
  assert.not(dependenciesInstalled(checkout.path));
});

function newCheckout(outcome = 'exit 0'): ReturnType<typeof temporaryFolder> {
  const checkout = temporaryFolder();
  const root = checkout.path;
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'packages/a'), { recursive: true });
  for (const input of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(join(root, input), '{}\n');
  const script = `#!/bin/sh\necho "$@" >> calls\nmkdir -p node_modules packages/a/node_modules\n${outcome}\n`;
  writeFileSync(join(root, 'bin/pnpm'), script);
  chmodSync(join(root, 'bin/pnpm'), 0o755);
  return checkout;
}

function install(root: string): Promise<void> {
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
  return installDependencies(root, env);
}

test.run();
