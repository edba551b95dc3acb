/** The objects every cluster has from its start. */
import { internalWrite } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../object.ts';
import { servedAs } from '../storage/cluster-store.ts';
import { createObject } from '../verbs/create.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Creates the system namespaces. */
export function createSystemObjects(cluster: Cluster): void {
  for (const name of NAMESPACES) {
    const body: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const options = internalWrite('kube-apiserver');
    createObject(cluster, { resource: servedAs(cluster, body), namespace: '', name, body, options });
  }
}
