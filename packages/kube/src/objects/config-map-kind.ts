/** ConfigMaps, as a resource of the API server. */
import type { ResourceKind } from '@meshrelay/relay-core';

export const configMapKind: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
