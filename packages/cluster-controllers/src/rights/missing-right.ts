/** Permissions for a single namespace may not be granted yet: the error then names the command that grants them. */
import { isKubeError, KubeError } from '@meshrelay/kube';

/**
 * The command that grants the permission of a flag, such as `--mesh-namespace istio-system`. Without a flag, the
 * permissions for every cluster.
 */
export type RightsCommand = (flag?: string) => string;

/** Namespace where `meshctl` expects agents by default. */
const DEFAULT_NAMESPACE = 'meshrelay';

/** @param flags that identify the holder of the permissions; by default an agent */
export function rightsCommand(namespace: string, flags: readonly string[] = []): RightsCommand {
  const where = namespace === DEFAULT_NAMESPACE ? [] : [`--namespace ${namespace}`];
  return (flag) => {
    const words = ['meshctl cluster rbac', ...flags, ...where, ...(flag === undefined ? [] : [flag])];
    return `${words.join(' ')} | kubectl apply -f -`;
  };
}

/** Adds the command that grants the permission to an error of a forbidden request. Returns other errors unchanged. */
export function withCommand(error: unknown, command: string): unknown {
  if (!isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')) return error;
  const { code, what, status, reason, causes } = error;
  return new KubeError(code, what, { status, reason, causes, next: `grant the permission: ${command}`, cause: error });
}
