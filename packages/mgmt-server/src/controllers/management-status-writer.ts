/** Status writer for Meshrelay's objects in the management cluster, shared by the controllers. */
import { type KubeConnection, StatusWriter } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';

export function managementStatusWriter(connection: KubeConnection, logger: Logger): StatusWriter {
  return new StatusWriter({
    connection,
    fieldManager: 'meshrelay-server',
    onRefused: (object, error) => logger.error('status refused', { object, error }),
    onRetry: (object, error) => logger.warn('status not written; the server retries', { object, error }),
  });
}
