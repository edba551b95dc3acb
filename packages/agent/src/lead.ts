/** The work of a leading replica in one term. Each part gets those before it; they end in reverse order. */
import { startClusterWork, startStreams, type Term } from '@meshrelay/cluster-controllers';
import { Secrets } from '@meshrelay/kube';
import type { AgentContext } from './agent-context.ts';
import { startClusterObserver } from './controllers/start-cluster-observer.ts';
import { startEnvoyAnswers } from './controllers/start-envoy-answers.ts';
import { startEnvoyRoots } from './controllers/start-envoy-roots.ts';
import { startWorkloadRoots } from './controllers/start-workload-roots.ts';
import type { EnvoyConfiguration } from './data-plane/configuration/envoy-configuration.ts';
import { makeIdentity } from './identity/make-identity.ts';
import { observeHandlers } from './observe/handlers.ts';
import { relayTransport } from './relay/relay-transport.ts';
import type { WorkloadCa } from './workload-ca/workload-ca.ts';

/** Parts of every replica that the leader's work uses. */
export interface ReplicaParts {
  readonly ca: WorkloadCa;
  /** Undefined if no mesh of this cluster takes its configuration from this agent. */
  readonly envoys: EnvoyConfiguration | undefined;
}

export async function lead(agent: AgentContext, term: Term, { ca, envoys }: ReplicaParts): Promise<AsyncDisposable> {
  await using work = new AsyncDisposableStack();
  const { config, connection, clock, random, logger, status } = agent;
  const { fence } = term;
  status.term = term.number;
  work.defer(() => {
    status.leader = undefined;
    status.term = undefined;
  });
  const identity = makeIdentity(agent);
  const transport = relayTransport({
    relay: config.relay,
    identity,
    secrets: new Secrets(connection, config.namespace),
    clock,
    random,
    logger: logger.child('relay'),
  });
  const cluster = work.use(await startClusterWork(agent, term, transport));
  const { maps } = work.use(startEnvoyRoots(agent, fence, cluster));
  const { observer, peers } = work.use(startClusterObserver(agent, fence));
  work.use(startEnvoyAnswers(agent, { fence, envoys, peers }));
  const roots = work.use(startWorkloadRoots(agent, fence, ca));
  work.use(identity.start());
  // Streams start last and end first: what they push and apply is there as long as they are.
  const relay = work.use(startStreams(agent, term, cluster, { transport, handlers: observeHandlers(observer) }));
  status.leader = { cluster, identity, relay, rootConfigMaps: maps, roots };
  return work.move();
}
