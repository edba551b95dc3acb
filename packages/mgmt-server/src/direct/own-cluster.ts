/** Registration of the server's own cluster in single-cluster mode, where no user registers it. */
import { MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import { Backoff, systemClock } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';

export interface OwnClusterOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly name: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Creates the KubernetesCluster if it does not exist; only once, so that a user can delete it while the server runs.
 * Retries until done or aborted.
 */
export async function declareOwnCluster({
  connection,
  namespace,
  name,
  logger,
  signal,
}: OwnClusterOptions): Promise<void> {
  const pauses = new Backoff({ first: 500, longest: 10_000, random: Math.random });
  while (!signal.aborted) {
    try {
      const object = {
        apiVersion: MULTICLUSTER_API_VERSION,
        kind: 'KubernetesCluster',
        metadata: { name, namespace },
        spec: {},
      };
      await connection.objects(meshrelayKind('KubernetesCluster')).create(object);
      logger.info('the cluster of this server is registered', { cluster: name });
      return;
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_EXISTS')) return;
      logger.warn('the cluster of this server cannot be registered yet', { cluster: name, error });
    }
    await systemClock.sleep(pauses.next(), signal);
  }
}
