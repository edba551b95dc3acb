/**
 * Data from the agent's own cluster that modules need, read on demand: the agent caches no ConfigMap and no Secret of
 * users.
 */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { configMapKind, isKubeError, type KubeConnection, secretKind } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import { ModuleError } from './module-error.ts';
import type { ClusterFiles } from './modules/module-source.ts';
import { DOCKER_CONFIG } from './oci/pull-secret.ts';

const DOCKER_CONFIG_TYPE = 'kubernetes.io/dockerconfigjson';

interface DataObject extends KubeObject {
  readonly type?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly binaryData?: Readonly<Record<string, unknown>>;
}

/** Reads through the API server. */
export function clusterFiles(connection: KubeConnection): ClusterFiles {
  const read = async (
    kind: ResourceKind,
    namespace: string,
    name: string,
    signal: AbortSignal,
  ): Promise<DataObject> => {
    const what = `${kind.kind} ${namespace}/${name}`;
    let object: KubeObject | undefined;
    try {
      object = await connection.objects(kind).read({ namespace, name }, { signal });
    } catch (error) {
      throw isKubeError(error, 'RELAY_E_KUBE_FORBIDDEN')
        ? new ModuleError(mayNot(kind, namespace, name), 'later', error)
        : new ModuleError(`${what} cannot be read: ${(error as Error).message}`, 'later', error);
    }
    if (object === undefined)
      throw new ModuleError(`${what} does not exist; create it with the module or the user of the registry`, 'later');
    return object as DataObject;
  };
  return {
    async configMap(namespace, name, key, signal) {
      const { binaryData = {} } = await read(configMapKind, namespace, name, signal);
      const text = Object.hasOwn(binaryData, key) ? binaryData[key] : undefined;
      if (typeof text === 'string') return Buffer.from(text, 'base64');
      throw new ModuleError(
        `ConfigMap ${namespace}/${name} has no binaryData ${key}; create it with kubectl create configmap ${name} --from-file=${key}`,
        'later',
      );
    },
    async dockerConfig(namespace, name, signal) {
      const { type, data = {} } = await read(secretKind, namespace, name, signal);
      const text = data[DOCKER_CONFIG];
      if (type === DOCKER_CONFIG_TYPE && typeof text === 'string') return Buffer.from(text, 'base64').toString('utf8');
      throw new ModuleError(
        `Secret ${namespace}/${name} is not of type ${DOCKER_CONFIG_TYPE}; create it with kubectl create secret docker-registry`,
        'later',
      );
    },
  };
}

function mayNot({ kind }: ResourceKind, namespace: string, name: string): string {
  const how =
    kind === 'Secret'
      ? `as meshctl cluster rbac --pull-secret ${namespace}/${name} prints it`
      : 'with a Role and a RoleBinding in that namespace';
  return `the agent may not read ${kind} ${namespace}/${name}; allow its ServiceAccount to get it, ${how}`;
}
