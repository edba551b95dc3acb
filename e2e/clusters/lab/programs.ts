/** The programs of real clusters. They are fetched and built before the clusters' isolated network exists. */
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { type DebianPrograms, debianPrograms } from './debian-programs.ts';

const VERSION = { major: '1', minor: '34', git: 'v1.34.4' } as const;
/** The packages with the version: kubectl has its own. */
const STAMPED = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];

export interface LabPrograms {
  readonly debian: DebianPrograms;
  readonly etcd: string;
  /** The first argument names the program, such as `kubelet`. */
  readonly kubernetes: string;
  readonly coredns: string;
  readonly pause: string;
}

/** @throws Error if a program cannot be fetched or built */
export async function clusterPrograms(print: (line: string) => void): Promise<LabPrograms> {
  const ldflags = STAMPED.map(
    (name) =>
      `-X ${name}.gitVersion=${VERSION.git} -X ${name}.gitMajor=${VERSION.major} -X ${name}.gitMinor=${VERSION.minor}`,
  ).join(' ');
  return {
    debian: await debianPrograms(print),
    etcd: await goProgram(goFolder('etcd'), { print }),
    kubernetes: await goProgram(goFolder('kubernetes'), { print, ldflags }),
    coredns: await goProgram(goFolder('coredns'), { print }),
    pause: await goProgram(goFolder('pause'), { print }),
  };
}
