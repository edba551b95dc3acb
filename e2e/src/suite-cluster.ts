/** A real API server of one suite: what an uninstall leaves must not depend on other suites. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@meshrelay/testing';
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

/** Starts it; it ends with the suite, and its folder too. */
export async function startSuiteCluster(): Promise<SuiteCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-suite-'));
  const kube = await startRealKube((line) => console.log(line));
  const admin = new Client(targetOf(kube.kubeconfig));
  test.after(async () => {
    admin[Symbol.dispose]();
    await kube[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, kube.kubeconfig, { mode: 0o600 });
  return { kubeconfig: kube.kubeconfig, kubeconfigFile, admin, folder };
}
