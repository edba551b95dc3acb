/** Implements `meshctl check --pre`: whether an installation would work. */
import { errorMessage } from '@meshrelay/host';
import { InputError } from '../problem.ts';
import { type Component, chartOf } from './chart.ts';
import { checkHelm } from './helm.ts';
import { checkBeforeInstall } from './install.ts';
import { type Finding, kubernetesVersion } from './preflight.ts';
import type { Target } from './target.ts';

/** Values that a chart requires. They decide nothing that is checked. */
const REQUIRED: Readonly<Record<Component, readonly string[]>> = {
  server: [],
  agent: ['--set', 'config.relay.cluster=checked,config.relay.serverAddress=checked:9900'],
};

/** @throws KubeError if the API server does not answer */
export async function checkPre(component: Component, target: Target): Promise<readonly Finding[]> {
  const present = await helmPresent();
  if (present.problems.length > 0) return [present, await kubernetesVersion(target)];
  const plan = { chart: chartOf(component), target, values: REQUIRED[component], takeOwnership: false };
  return [present, ...(await checkBeforeInstall(plan))];
}

async function helmPresent(): Promise<Finding> {
  const hint = 'get Helm from https://helm.sh/docs/intro/install';
  try {
    return { name: `Helm ${await checkHelm()} is on the PATH`, problems: [], hint };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { name: 'Helm 3.14 or later is on the PATH', problems: [errorMessage(error)], hint };
  }
}
