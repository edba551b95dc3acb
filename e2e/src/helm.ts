/** The real Helm. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from './go-folder.ts';

export interface HelmResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Helm with these arguments until it exits. */
export type Helm = (...args: readonly string[]) => Promise<HelmResult>;

/** The absolute path of a chart of this repository. */
export function chartFolder(name: 'meshrelay' | 'meshrelay-agent'): string {
  return fileURLToPath(new URL(`../../charts/${name}`, import.meta.url));
}

/** The path of Helm, built once. */
export function helmProgram(): Promise<string> {
  return goProgram(goFolder('helm'), {
    main: 'helm.sh/helm/v3/cmd/helm',
    // Otherwise it renders for Kubernetes 1.20.
    ldflags:
      '-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=34 -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor=34',
    print: (line) => console.log(line),
  });
}

/** Helm. @param env variables in addition to those of this process, such as KUBECONFIG */
export async function realHelm(env: Readonly<Record<string, string>> = {}): Promise<Helm> {
  const program = await helmProgram();
  return async (...args) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    const exited = new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject));
    const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
    return { code, stdout, stderr };
  };
}
