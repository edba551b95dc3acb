/** spec.filters[].configMapSource */
import type { WasmConfigMapSourceView } from '@meshrelay/plugin';
import { defined } from '../values.ts';
import type { WasmSourceField } from './field.ts';

/** The key in the binary data if the deployment names none. */
const MODULE_KEY = 'module.wasm';

export const configMapSource: WasmSourceField<'configMapSource'> = {
  kind: 'configMap',
  capabilities: { 'wasm.configMap': 'spec.filters.configMapSource' },
  view: ({ configMapSource }, workloadNamespace) => {
    if (configMapSource === undefined) return undefined;
    const { name, namespace = workloadNamespace, key = MODULE_KEY, sha256 } = configMapSource;
    return defined<WasmConfigMapSourceView>({ kind: 'configMap', namespace, name, key, sha256 });
  },
  namespace: ({ configMapSource }) => configMapSource?.namespace,
  notPermitted: (path, namespace, cluster) => ({
    code: 'REF_NOT_PERMITTED',
    severity: 'error',
    field: `${path}.configMapSource.namespace`,
    message: `the policy may not use namespace ${namespace} of cluster ${cluster}, so its ConfigMaps are not read; omit the namespace and create the ConfigMap in the namespace of the workloads, or move the policy to a namespace with access`,
  }),
  requires: () => ['wasm.configMap'],
};
