/** The management cluster of the online commands: options, connection, errors. */
import { errorMessage } from '@meshrelay/host';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { PkiError } from '@meshrelay/pki';
import type { Target } from '../install/target.ts';
import { InputError } from '../problem.ts';
import { connectTo, kubeconfigFile } from './connect.ts';

/** The options that name the management cluster in a command that needs another cluster, too. */
export interface NamedManagement {
  readonly mgmtKubeconfig?: string;
  readonly mgmtContext?: string;
  /** Timeout of one request to a server, in milliseconds. */
  readonly requestTimeout: number;
}

/** The connection to the management cluster, and the server's namespace in it. */
export interface ManagementOptions extends NamedManagement {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
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

/** @throws InputError */
export function managementOf(options: ManagementOptions): KubeConnection {
  const { context = options.mgmtContext, requestTimeout: timeout } = options;
  return connectTo({ ...chosenFile(options), context, timeout });
}

/** Of a command whose `--kubeconfig` and `--context` name another cluster. @throws InputError */
export function namedManagementOf({ mgmtKubeconfig, mgmtContext, requestTimeout }: NamedManagement): KubeConnection {
  const option = '--mgmt-kubeconfig';
  return connectTo({ kubeconfig: mgmtKubeconfig, context: mgmtContext, option, timeout: requestTimeout });
}

function chosenFile({ kubeconfig, mgmtKubeconfig }: ManagementOptions): {
  readonly kubeconfig: string | undefined;
  readonly option: string;
} {
  return mgmtKubeconfig === undefined
    ? { kubeconfig, option: '--kubeconfig' }
    : { kubeconfig: mgmtKubeconfig, option: '--mgmt-kubeconfig' };
}

/** How Helm connects to the management cluster. */
export function managementTarget(connection: KubeConnection, options: ManagementOptions): Target {
  const kubeconfig = kubeconfigFile(chosenFile(options));
  return { connection, kubeconfig, context: connection.context, namespace: options.namespace };
}
