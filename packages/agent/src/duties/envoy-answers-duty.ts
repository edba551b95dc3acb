/** The leader notes on XdsConfig objects what the Envoys of all replicas have answered. */
import { Acknowledgements } from '../data-plane/configuration/acknowledgements.ts';
import { askReplicas } from '../peers/ask-replicas.ts';
import type { LeaderDuty } from './duties.ts';

export const envoyAnswersDuty: LeaderDuty = {
  name: 'envoy-answers',
  who: 'leader',
  start({ config, connection, clock, dataPlane, logger, replica, reign, status }) {
    const work = new AsyncDisposableStack();
    const { envoys } = status;
    if (envoys === undefined) return work;
    const acknowledgements = work.use(
      new Acknowledgements({
        connection,
        namespace: config.namespace,
        seen: () => envoys.seen,
        ask: (question, signal) =>
          askReplicas({ replica, own: () => envoys.answer(question), peers: reign.peers, question, signal }),
        pods: () => dataPlane.pods.podCounts(),
        check: () => reign.fence.check(),
        clock,
        logger: logger.child('data-plane'),
      }),
    );
    envoys.objectsChanged = () => acknowledgements.look();
    status.notesEnvoyAnswers = true;
    work.defer(() => {
      status.notesEnvoyAnswers = false;
      envoys.objectsChanged = () => {};
    });
    return work;
  },
};
