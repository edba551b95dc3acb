/** A management cluster without a server, to test single stages against an API server. */
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { type KubeSim, type KubeObject as SimObject, startKubeSim } from '@meshrelay/kube-sim';

export interface BareCluster extends AsyncDisposable {
  readonly sim: KubeSim;
  readonly connection: KubeConnection;
}

export async function startBareCluster(...objects: readonly KubeObject[]): Promise<BareCluster> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'meshrelay' } };
  const all = [namespace, ...crds, ...objects];
  const sim = await startKubeSim({ controllers: false, objects: all as unknown as SimObject[] });
  const connection = connect({ text: sim.kubeconfig });
  return {
    sim,
    connection,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await sim[Symbol.asyncDispose]();
    },
  };
}
