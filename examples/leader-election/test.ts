/** Two replicas in a simulated cluster: the second one continues the count of the first. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { startKubeSim } from '@meshrelay/kube-sim';

const folder = mkdtempSync(join(tmpdir(), 'leader-election-'));
await using sim = await startKubeSim({ name: 'example' });
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, sim.kubeconfig, { mode: 0o600 });

/** Counts of all replicas, in the order in which they were printed. */
const counts: number[] = [];

function start(): ChildProcess {
  const replica = spawn(process.execPath, ['main.ts'], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: replica.stdout }).on('line', (line) => {
    const [, count] = /: count (\d+)$/.exec(line) ?? [];
    if (count !== undefined) counts.push(Number(count));
  });
  return replica;
}

async function counted(least: number): Promise<void> {
  const end = performance.now() + 60_000;
  while (counts.length < least) {
    assert.ok(performance.now() < end, `counted ${counts.length}, expected ${least}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

const replicas: ChildProcess[] = [];
try {
  replicas.push(start());
  await counted(2);
  replicas.push(start());
  const [first] = replicas;
  first?.kill('SIGTERM');
  if (first !== undefined) await once(first, 'exit');
  const before = counts.length;
  await counted(before + 2);
  assert.deepEqual(
    counts,
    counts.map((_, index) => index + 1),
  );
  console.log(`passed: ${before} counts of the first replica, then ${counts.length - before} of the second`);
} finally {
  for (const replica of replicas) {
    if (replica.exitCode !== null || replica.signalCode !== null) continue;
    replica.kill('SIGTERM');
    await once(replica, 'exit');
  }
  rmSync(folder, { recursive: true });
}
