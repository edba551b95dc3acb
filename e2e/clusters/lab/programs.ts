/** The programs of real clusters. They are fetched and built before the clusters' isolated network exists. */
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { type KubernetesPrograms, kubernetesPrograms } from '../../src/kubernetes-programs.ts';
import { type DebianPrograms, debianPrograms } from './debian-programs.ts';

export interface LabPrograms extends KubernetesPrograms {
  readonly debian: DebianPrograms;
  readonly coredns: string;
  readonly pause: string;
}

/** @throws Error if a program cannot be fetched or built */
export async function clusterPrograms(print: (line: string) => void): Promise<LabPrograms> {
  return {
    ...(await kubernetesPrograms(print)),
    debian: await debianPrograms(print),
    coredns: await goProgram(goFolder('coredns'), { print }),
    pause: await goProgram(goFolder('pause'), { print }),
  };
}
