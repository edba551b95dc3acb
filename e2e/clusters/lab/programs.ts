/** The programs of real clusters. They are fetched and built before the clusters' isolated network exists. */
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { type KubernetesPrograms, kubernetesPrograms } from '../../src/kubernetes-programs.ts';

export interface ClusterPrograms extends KubernetesPrograms {
  readonly coredns: string;
  readonly pause: string;
}

/** @throws Error if a program cannot be built */
export async function clusterPrograms(print: (line: string) => void): Promise<ClusterPrograms> {
  return {
    ...(await kubernetesPrograms(print)),
    coredns: await goProgram(goFolder('coredns'), { print }),
    pause: await goProgram(goFolder('pause'), { print }),
  };
}
