/** A real API server of one suite: what an uninstall leaves must not depend on other suites. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { startRealKube } from './real-kube.ts';

export interface SuiteCluster {
  /** YAML, of an administrator. */
  readonly kubeconfig: string;
  /** The file that has it. */
  readonly kubeconfigFile: string;
  readonly admin: Client;
  /** A folder for files of the suite. */
  readonly folder: string;
}

/** Objects that an API server creates by itself, a moment after it is ready. */
const OWN_OBJECTS = ['/api/v1/namespaces/default/services/kubernetes', '/api/v1/namespaces/kube-system'];

/** Starts it; it ends with the suite, and its folder too. What is present then changes only by the suite. */
export async function startSuiteCluster(): Promise<SuiteCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-suite-'));
  const kube = await startRealKube((line) => console.log(line));
  const admin = new Client(targetOf(kube.kubeconfig));
  test.after(async () => {
    admin[Symbol.dispose]();
    await kube[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const object of OWN_OBJECTS)
    await eventually(`the API server to create ${object}`, async () => (await admin.get(object)).status === 200);
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, kube.kubeconfig, { mode: 0o600 });
  return { kubeconfig: kube.kubeconfig, kubeconfigFile, admin, folder };
}
