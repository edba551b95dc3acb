/** Kubernetes and etcd, built once for every suite that needs them. */
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from './go-folder.ts';

/** The Kubernetes version to build; `e2e/go/kubernetes/go.mod` decides it. */
const VERSION = { major: '1', minor: '34', git: 'v1.34.4' } as const;
/** The packages with the version: kubectl has its own. */
const STAMPED = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];

export interface KubernetesPrograms {
  readonly etcd: string;
  /** All programs of Kubernetes. The first argument names one, such as `kube-apiserver`. */
  readonly kubernetes: string;
}

/** @throws Error if Go is missing, or with the output of a failed build */
export async function kubernetesPrograms(print: (line: string) => void): Promise<KubernetesPrograms> {
  const ldflags = STAMPED.map(
    (name) =>
      `-X ${name}.gitVersion=${VERSION.git} -X ${name}.gitMajor=${VERSION.major} -X ${name}.gitMinor=${VERSION.minor}`,
  ).join(' ');
  return {
    etcd: await goProgram(goFolder('etcd'), { print }),
    kubernetes: await goProgram(goFolder('kubernetes'), { print, ldflags }),
  };
}
