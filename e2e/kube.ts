/** `npm run test:kube`: the suites named `*.kube.test.ts`, judged by a real Kubernetes API server that is built and started here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { main } from '../scripts/runner/main.ts';
import { endGroupsWithThisProcess } from '../scripts/runner/process-group.ts';
import { startRealKube } from './src/real-kube.ts';

endGroupsWithThisProcess();
const tell = (line: string): void => console.log(line);
const folder = mkdtempSync(join(tmpdir(), 'meshrelay-kubeconfig-'));
try {
  await using kube = await startRealKube(tell);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kube.kubeconfig, { mode: 0o600 });
  process.env['MESHRELAY_REAL_KUBECONFIG'] = kubeconfig;
  process.exitCode = await main(['--suite=kube', '--lane=node', ...process.argv.slice(2)], tell);
} catch (error) {
  tell(`${(error as Error).message}\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
