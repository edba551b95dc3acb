/** Leader: has the intermediate CAs of the cluster's meshes signed, and writes them. */
import { Secrets, StatusWriter } from '@meshrelay/kube';
import { generateKey } from '@meshrelay/pki';
import { MeshCertificates } from '../certificates/mesh-certificates.ts';
import type { MemberController } from './controllers.ts';

export const certificatesController: MemberController = {
  name: 'certificates',
  runsOn: 'leader',
  start({ connection, config, clock, now, random, logger, rightsCommand, leaderTerm }) {
    const log = logger.child('certificates');
    const statuses = new StatusWriter({
      connection,
      fieldManager: 'meshrelay-agent',
      onRefused: (object, error) => log.error('status refused', { object, error }),
      onRetry: (object, error) => log.warn('status not written; the agent retries', { object, error }),
      clock,
      random,
    });
    const certificates = new MeshCertificates({
      owner: config.managementNamespace,
      secrets: (namespace) => new Secrets(connection, namespace),
      sign: (request) => leaderTerm.transport?.sign?.(request),
      makeKey: generateKey,
      check: () => leaderTerm.fence.check(),
      statuses,
      rightsCommand,
      clock,
      now,
      random,
      logger: log,
    });
    leaderTerm.certificates = certificates;
    return {
      async [Symbol.asyncDispose]() {
        await certificates[Symbol.asyncDispose]();
        await statuses[Symbol.asyncDispose]();
      },
    };
  },
};
