/** Rights that are given for one namespace alone are missing where nobody gave them: whoever needs one says what to run. */
import { isKubeError, KubeError } from '@meshrelay/kube';

/** The command that gives the right of a flag, such as `--mesh-namespace istio-system`; without a flag, what every cluster is given. */
export type RightsCommand = (flag?: string) => string;

/** Where `meshctl` assumes agents to be. */
const DEFAULT_NAMESPACE = 'meshrelay';

/** @param flags that say whose rights they are; an agent's by default */
export function rightsCommand(namespace: string, flags: readonly string[] = []): RightsCommand {
  const where = namespace === DEFAULT_NAMESPACE ? [] : [`--namespace ${namespace}`];
  return (flag) => {
    const words = ['meshctl cluster rights', ...flags, ...where, ...(flag === undefined ? [] : [flag])];
    return `${words.join(' ')} | kubectl apply -f -`;
  };
}

/** What the API server forbids, with what to run so that it does not; any other failure as it is. */
export function withCommand(error: unknown, command: string): unknown {
  if (!isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) return error;
  const { code, what, status, reason, causes } = error;
  return new KubeError(code, what, { status, reason, causes, next: `give the right by: ${command}`, cause: error });
}
