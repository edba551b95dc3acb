/** Leader: records ACKs and NACKs of Envoys from all replicas on XdsConfig objects. */
import type { Fence } from '@meshrelay/cluster-controllers';
import type { AgentContext } from '../agent-context.ts';
import { Acknowledgements } from '../data-plane/configuration/acknowledgements.ts';
import type { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import type { AgentPeers } from '../peers/agent-peers.ts';
import { askReplicas } from '../peers/ask-replicas.ts';

export interface EnvoyAnswerSources {
  readonly fence: Fence;
  /** This replica's Envoys; undefined if no mesh of this cluster takes its configuration from this agent. */
  readonly envoys: EnvoyConfiguration | undefined;
  /** The other replicas; undefined if calls between replicas are disabled. */
  readonly peers: AgentPeers | undefined;
}

export function startEnvoyAnswers(
  { config, connection, clock, dataPlane, logger, replica, status }: AgentContext,
  { fence, envoys, peers }: EnvoyAnswerSources,
): AsyncDisposable {
  const work = new AsyncDisposableStack();
  if (envoys === undefined) return work;
  const acknowledgements = work.use(
    new Acknowledgements({
      connection,
      namespace: config.namespace,
      seen: () => envoys.seen,
      ask: (question, signal) => askReplicas({ replica, own: () => envoys.answer(question), peers, question, signal }),
      pods: () => dataPlane.pods.podCounts(),
      check: () => fence.check(),
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
}
