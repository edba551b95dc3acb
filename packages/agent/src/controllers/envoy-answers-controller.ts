/** Leader: records ACKs and NACKs of Envoys from all replicas on XdsConfig objects. */
import { Acknowledgements } from '../data-plane/configuration/acknowledgements.ts';
import { askReplicas } from '../peers/ask-replicas.ts';
import type { LeaderController } from './controllers.ts';

export const envoyAnswersController: LeaderController = {
  name: 'envoy-answers',
  runsOn: 'leader',
  start({ config, connection, clock, dataPlane, logger, replica, leaderTerm, status }) {
    const work = new AsyncDisposableStack();
    const { envoys } = status;
    if (envoys === undefined) return work;
    const acknowledgements = work.use(
      new Acknowledgements({
        connection,
        namespace: config.namespace,
        seen: () => envoys.seen,
        ask: (question, signal) =>
          askReplicas({ replica, own: () => envoys.answer(question), peers: leaderTerm.peers, question, signal }),
        pods: () => dataPlane.pods.podCounts(),
        check: () => leaderTerm.fence.check(),
        clock,
        logger: logger.child('data-plane'),
      }),
    );
    envoys.objectsChanged = () => acknowledgements.reconcile();
    status.notesEnvoyAnswers = true;
    work.defer(() => {
      status.notesEnvoyAnswers = false;
      envoys.objectsChanged = () => {};
    });
    return work;
  },
};
