/** The program as a process: one line for bad configuration, a graceful shutdown within five seconds. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { startBareCluster } from './support/cluster.ts';

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [builtProgram('mgmt-server'), ...args], { env: { ...process.env, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, output, ended };
}

test('bad configuration is reported in one line', async () => {
  const cases: ReadonlyArray<readonly [readonly string[], RegExp]> = [
    [['--relay.lisen', ':1'], /^mgmt-server: unknown argument --relay.lisen; did you mean --relay.listen\?\n$/],
    [['--config', 'nowhere.yaml'], /^mgmt-server: --config nowhere.yaml: ENOENT.*\n$/],
    [['--kubernetes.kubeconfig', 'nowhere.yaml'], /^mgmt-server: kubernetes.kubeconfig: .*nowhere.yaml.*\n$/],
    [
      ['--relay.listen', 'nonsense'],
      /^mgmt-server: bad configuration: relay.listen: expected HOST:PORT.*\(--relay.listen\)\n$/,
    ],
  ];
  const results = await Promise.all(
    cases.map(async ([args, expected]) => {
      const { output, ended } = run(args);
      return { code: await ended, output, expected };
    }),
  );
  for (const { code, output, expected } of results) {
    assert.is(code, 1);
    assert.match(output.stderr, expected);
    assert.is(output.stdout, '');
  }
});

test('SIGTERM shuts it down within five seconds, and releases its Lease', async () => {
  await using cluster = await startBareCluster();
  using folder = temporaryFolder();
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.sim.kubeconfig);
  const any = '127.0.0.1:0';
  const { child, output, ended } = run(
    ['--relay.listen', any, '--http.listen', any, '--kubernetes.kubeconfig', kubeconfig],
    {
      MESHRELAY_HEALTH_LISTEN: any,
    },
  );
  try {
    const lease = () =>
      cluster.sim.objects.get({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        namespace: 'meshrelay',
        name: 'meshrelay-mgmt-server',
      }) as { spec?: { holderIdentity?: string } } | undefined;
    await eventually('it leads', () => output.stdout.includes('this replica leads') && lease()?.spec?.holderIdentity, {
      deadline: 60_000,
      seen: () => output,
    });
    const started = performance.now();
    child.kill('SIGTERM');
    assert.is(await ended, 0, output.stderr);
    assert.ok(performance.now() - started < 5_000);
    assert.is(output.stderr, '');
    assert.match(output.stdout, 'management server ended');
    assert.is(lease()?.spec?.holderIdentity ?? '', '');
    for (const line of output.stdout.trim().split('\n')) {
      const { level, ts, logger, msg } = JSON.parse(line) as Record<string, unknown>;
      assert.equal([typeof level, typeof ts, typeof logger, typeof msg], ['string', 'number', 'string', 'string']);
    }
  } finally {
    child.kill('SIGKILL');
  }
});

test.run();
