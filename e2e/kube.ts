/**
 * `npm run test:kube`: the suites named `*.kube.test.ts`, against a real Kubernetes API server that is built and
 * started here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startRealKube } from './src/real-kube.ts';

const runner = fileURLToPath(new URL('../scripts/test.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'meshrelay-kubeconfig-'));
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
try {
  await using kube = await startRealKube((line) => console.log(line));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kube.kubeconfig, { mode: 0o600 });
  // One after the other: they share the server, and an agent under test deletes labelled objects that are not desired.
  const options = ['--suite=kube', '--lane=node', '--jobs=1'];
  const tests = spawn(process.execPath, [runner, ...options, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, MESHRELAY_REAL_KUBECONFIG: kubeconfig },
  });
  const stop = (): void => void tests.kill('SIGTERM');
  stopped.signal.addEventListener('abort', stop);
  if (stopped.signal.aborted) stop();
  const [code] = await once(tests, 'exit');
  process.exitCode = code ?? 1;
} catch (error) {
  console.log(`${(error as Error).message}\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
