/** The real Helm. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from './go-folder.ts';
import { type Result, runProgram } from './run-program.ts';

/** Runs Helm with these arguments until it exits. */
export type Helm = (...args: readonly string[]) => Promise<Result>;

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
  return (...args) => runProgram(program, args, { env: { ...process.env, ...env } });
}
