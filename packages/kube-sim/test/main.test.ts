/** The program from start to signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';

function run(...args: string[]) {
  const child = spawn(process.execPath, [builtProgram('kube-sim'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.error += chunk;
  });
  return { child, said };
}

test('serves until it gets a signal', async () => {
  using folder = temporaryFolder();
  const kubeconfig = join(folder.path, 'kubeconfig');
  const { child, said } = run('--name', 'cluster-1', '--kubeconfig', kubeconfig);
  await eventually('it is ready', () => said.out.includes('\n'), { seen: () => said });
  assert.match(
    said.out,
    /^kube-sim cluster-1 is ready at https:\/\/127\.0\.0\.1:\d+; kubectl --kubeconfig .* get all -A\n$/,
  );
  assert.is(statSync(kubeconfig).mode & 0o777, 0o600);
  using client = new Client(targetOf(readFileSync(kubeconfig, 'utf8')));
  assert.is((await client.get('/api/v1/namespaces/default')).status, 200);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.is(code, 0);
  const lines = said.error
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(
    lines.map(({ level, logger, msg, cluster }) => [level, logger, msg, cluster]),
    [
      ['info', 'kube-sim', 'listening', 'cluster-1'],
      ['info', 'kube-sim', 'stopping', 'cluster-1'],
    ],
  );
});

test('serves faults on an admin endpoint if requested', async () => {
  const { child, said } = run('--no-controllers', '--admin', '127.0.0.1:0');
  const url = await eventually('it is ready', () => /"url":"(http:[^"]*)"/.exec(said.error)?.[1], { seen: () => said });
  const rule = { match: { verbs: ['list'] }, fault: { kind: 'error', code: 500 } };
  const planned = await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(rule) });
  assert.is(planned.status, 201);
  await eventually('it is ready', () => said.out.includes('\n'), { seen: () => said });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.is(code, 0);
});

for (const [args, words] of [
  [['--nope'], /^kube-sim: Unknown option '--nope'/],
  [['--listen', 'here'], /^kube-sim: --listen here: expected HOST:PORT/],
  [['--admin', '0.0.0.0:0'], /^kube-sim: admin address 0\.0\.0\.0: expected one of 127\.0\.0\.1/],
  [['--nodes', 'many'], /^kube-sim: --nodes many: expected a whole number/],
  [['--manifests', '/no/such/folder'], /^kube-sim: \/no\/such\/folder: no such file or folder/],
] as const)
  test(`${args.join(' ')} is one line on stderr and exit 1`, async () => {
    const { child, said } = run(...args);
    const [code] = await once(child, 'close');
    assert.is(code, 1);
    assert.match(said.error, words);
    assert.is(said.out, '');
  });

test.run();
