/** Runs the example of the README unchanged: it leads, and on SIGTERM it releases the Lease. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { LeaseServer } from './lease-server.ts';

const PACKAGE = join(import.meta.dirname, '..');

test('the example leads and releases', async () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? [];
  assert.ok(example !== undefined);
  using folder = temporaryFolder();
  await using server = new LeaseServer();
  const url = await server.listen();
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user: {} }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    }),
  );
  // Next to the package's sources, where its dependencies resolve; the name is unique to this process.
  const file = join(PACKAGE, `.readme-${process.pid}.ts`);
  writeFileSync(file, example);
  try {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let reported = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      reported += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      reported += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    try {
      const holder = (): string => String(server.stored?.spec['holderIdentity'] ?? '');
      await eventually('it leads', () => reported.includes('leader is '), { seen: () => reported, deadline: 60_000 });
      assert.match(holder(), /_[0-9a-f-]{36}$/);
      child.kill('SIGTERM');
      assert.is(await ended, 0, reported);
      assert.is(holder(), '');
    } finally {
      child.kill('SIGKILL');
    }
  } finally {
    rmSync(file);
  }
});

test.run();
