/**
 * A management server, whose API server is a separate process, and the registration data for agents of the two
 * clusters.
 */

import { crds } from '@meshrelay/api/crds';
import { importPlugins } from '@meshrelay/host';
import { connect, Secrets } from '@meshrelay/kube';
import type { KubeObject } from '@meshrelay/kube-sim';
import { serverConfig, startManagementServer } from '@meshrelay/mgmt-server';
import { createToken, readTokenBook, TOKENS_SECRET, withTokenBook } from '@meshrelay/pki';
import { ROOT_SECRET } from '@meshrelay/relay-core';
import { silentLogger } from '@meshrelay/telemetry';
import { ApiServer } from './api-server.ts';
import { CLUSTERS, type Cluster, virtualMesh } from './two-clusters.ts';

export const NAMESPACE = 'meshrelay';
export const SERVER_NAME = 'mgmt-server.meshrelay';

/** Data that an agent needs to register. */
export interface Registration {
  readonly cluster: Cluster;
  /** `host:port`. */
  readonly address: string;
  /** PEM. */
  readonly roots: string;
  readonly token: string;
}

/** Meshrelay's CRDs and namespace, which every cluster has. */
export function ourObjects(): KubeObject[] {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  return [namespace, ...(crds as unknown as readonly KubeObject[])];
}

/** Starts it, with both clusters in one virtual mesh. @returns the registration data of a cluster */
export async function startManagement(
  cleanup: AsyncDisposableStack,
): Promise<(cluster: Cluster) => Promise<Registration>> {
  const registered = CLUSTERS.map((name) => ({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: NAMESPACE },
    spec: {},
  }));
  const objects = [...ourObjects(), ...registered, virtualMesh() as unknown as KubeObject];
  const { kubeconfig } = cleanup.use(await ApiServer.start('management', objects));
  const config = serverConfig.parse({
    namespace: NAMESPACE,
    relay: { listen: '127.0.0.1:0', serverNames: [SERVER_NAME] },
    kubernetes: { kubeconfig },
    http: { listen: '127.0.0.1:0' },
    health: { listen: '127.0.0.1:0' },
  });
  const { relayPort } = cleanup.use(
    await startManagementServer(config, { plugins: await importPlugins(undefined), logger: silentLogger }),
  );
  const secrets = new Secrets(cleanup.use(connect({ file: kubeconfig })), NAMESPACE);
  const roots = (await secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
  return async (cluster) => {
    const token = createToken();
    const expires = new Date(Date.now() + 60_000);
    await secrets.update(TOKENS_SECRET, (data) =>
      withTokenBook(data, readTokenBook(data).declare(token, cluster, expires)),
    );
    return { cluster, address: `127.0.0.1:${relayPort}`, roots, token: token.reveal() };
  };
}
