/** The management cluster of the online commands: options, connection, errors. */
import { errorMessage } from '@meshrelay/host';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { PkiError } from '@meshrelay/pki';
import type { Target } from '../install/target.ts';
import { InputError } from '../problem.ts';
import { connectTo, kubeconfigFile } from './connect.ts';

/** The connection to the management cluster, and the server's namespace in it. */
export interface ManagementOptions {
  readonly mgmtKubeconfig?: string;
  readonly mgmtContext?: string;
  readonly namespace: string;
  /** Timeout of one request to a server, in milliseconds. */
  readonly requestTimeout: number;
}

/**
 * Converts errors of API servers, keys and certificates to errors for the user, since they are not faults of this
 * program.
 */
export async function reported<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw isKubeError(cause) || cause instanceof PkiError ? new InputError(errorMessage(cause), { cause }) : cause;
  }
}

export function managementOf({
  mgmtKubeconfig,
  mgmtContext,
  requestTimeout: timeout,
}: ManagementOptions): KubeConnection {
  return connectTo({ kubeconfig: mgmtKubeconfig, context: mgmtContext, option: '--mgmt-kubeconfig', timeout });
}

/** How Helm connects to the management cluster. */
export function managementTarget(
  connection: KubeConnection,
  { mgmtKubeconfig: kubeconfig, namespace }: ManagementOptions,
): Target {
  const file = kubeconfigFile({ kubeconfig, option: '--mgmt-kubeconfig' });
  return { connection, kubeconfig: file, context: connection.context, namespace };
}
