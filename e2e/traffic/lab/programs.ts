/** The programs of a lab. They are built and fetched outside of it, because the lab's own network is isolated. */
import { type EnvoyProgram, envoyProgram } from '@meshrelay/testing/envoy';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { kubernetesPrograms } from '../../src/kubernetes-programs.ts';
import { istioCrdFile } from '../../src/mesh-crds.ts';

export interface LabPrograms {
  readonly envoy: EnvoyProgram;
  readonly istiod: string;
  readonly redirect: string;
  /** A file with Istio's CRDs. */
  readonly crdFile: string;
}

/** Undefined if this machine cannot get Envoy. @throws Error if Go is missing, or with the output of a failed build */
export async function labPrograms(log: (line: string) => void): Promise<LabPrograms | undefined> {
  const envoy = await envoyProgram();
  if (envoy === undefined) return undefined;
  await kubernetesPrograms(log);
  return {
    envoy,
    istiod: await goProgram(goFolder('pilot-discovery'), { print: log }),
    redirect: await goProgram(goFolder('redirect'), { print: log }),
    crdFile: await istioCrdFile(),
  };
}
