/** Has the intermediate CAs of the cluster's meshes signed, and writes them. */
import { Secrets, StatusWriter } from '@meshrelay/kube';
import { generateKey } from '@meshrelay/pki';
import type { Fence } from '../apply/fence.ts';
import { MeshCertificates } from '../certificates/mesh-certificates.ts';
import type { ClusterContext } from '../cluster-context.ts';
import type { ServerTransport } from '../relay/server-transport.ts';

/** Both run until the stack is disposed of: the statuses last, since they are written at the end. */
export function startCertificates(
  { connection, config, clock, now, random, logger, rightsCommand }: ClusterContext,
  {
    work,
    fence,
    transport,
  }: {
    readonly work: AsyncDisposableStack;
    readonly fence: Fence;
    readonly transport: Pick<ServerTransport, 'sign'>;
  },
): MeshCertificates {
  const log = logger.child('certificates');
  const statuses = work.use(
    new StatusWriter({
      connection,
      fieldManager: 'meshrelay-agent',
      onRefused: (object, error) => log.error('status refused', { object, error }),
      onRetry: (object, error) => log.warn('status not written; the agent retries', { object, error }),
      clock,
      random,
    }),
  );
  return work.use(
    new MeshCertificates({
      owner: config.managementNamespace,
      secrets: (namespace) => new Secrets(connection, namespace),
      sign: (request) => transport.sign?.(request),
      makeKey: generateKey,
      check: () => fence.check(),
      statuses,
      rightsCommand,
      clock,
      now,
      random,
      logger: log,
    }),
  );
}
