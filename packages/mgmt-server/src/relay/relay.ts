/** The relay: agents' streams into the fleet and out of it. */
import { hostPort, type ListenAddress } from '@meshrelay/host';
import { trustDomain as asTrustDomain, readTrustBundle, verifyPeer } from '@meshrelay/pki';
import {
  ContentIndex,
  type IdentifyResult,
  PullSender,
  PushReceiver,
  RelayError,
  type RelayServer,
  type RelaySession,
  startRelayServer,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { Fleet } from '../store/fleet.ts';
import type { RelayAuthorities } from './authorities.ts';
import type { Connections } from './connections.ts';
import type { Registrar } from './registrar.ts';
import { relayLogger } from './relay-logger.ts';

export interface RelayOptions {
  readonly listen: ListenAddress;
  readonly trustDomain: string;
  readonly authorities: RelayAuthorities;
  readonly registrar: Registrar;
  readonly fleet: Fleet;
  readonly outputs: ClusterOutputs;
  readonly connections: Connections;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Starts the relay's port. */
export function startRelay(options: RelayOptions): Promise<RelayServer> {
  const { listen, authorities, registrar, logger } = options;
  const holdings = new Map<string, ContentIndex>();
  return startRelayServer({
    address: hostPort(listen),
    tls: authorities.tls,
    identify: (certificatePem) => identify(options, certificatePem),
    register: (request, context) => registrar.register(request, context),
    onPush: (session) => pushMachine(options, session, holdings),
    onPull: (session) => pullMachine(options, session),
    logger: relayLogger(logger),
  });
}

/** Exactly the identity in the verified certificate, of a cluster that is registered. */
function identify({ trustDomain, authorities, fleet, now }: RelayOptions, certificatePem: string): IdentifyResult {
  const chain = `${certificatePem}\n${authorities.signingPem}`;
  const peer = verifyPeer({
    purpose: 'agent',
    trustDomain: asTrustDomain(trustDomain),
    chain,
    roots: readTrustBundle(authorities.rootsPem),
    now: now(),
  });
  if (!peer.ok) return { refused: peer.message };
  if (peer.cluster === undefined) return { refused: 'the certificate is no agent certificate' };
  if (!fleet.isRegistered(peer.cluster))
    return { refused: `cluster ${peer.cluster} is not registered; create its KubernetesCluster` };
  return { cluster: peer.cluster };
}

function pushMachine(
  { fleet, connections, logger }: RelayOptions,
  session: RelaySession,
  holdings: Map<string, ContentIndex>,
): PushReceiver {
  const { cluster } = session;
  const held = holdings.get(cluster) ?? new ContentIndex();
  holdings.set(cluster, held);
  const last = fleet.progress.get(cluster)?.version;
  const log = logger.with({ cluster, term: session.hello.term });
  const ended = connections.opened(session);
  return new PushReceiver({
    cluster,
    ...(last === undefined ? {} : { last }),
    holdings: held,
    sink: {
      began: (term, kinds) => {
        log.info('push stream began', { address: session.address, program: session.hello.program });
        fleet
          .open(cluster, term, [...kinds])
          .catch((error: unknown) =>
            session.close(new RelayError('RELAY_E_INTERNAL', 'the snapshot cannot be opened', { cause: error })),
          );
      },
      accept: (batch) => fleet.accept(batch),
      ended: (reason) => {
        ended();
        log.info('push stream ended', { reason: reason?.message });
      },
    },
  });
}

function pullMachine({ outputs, connections, logger }: RelayOptions, session: RelaySession): PullSender {
  const { cluster } = session;
  const log = logger.with({ cluster, term: session.hello.term });
  const ended = connections.opened(session);
  return new PullSender({
    cluster,
    outputs: outputs.of(cluster),
    onApplied: () => connections.applied(cluster),
    onRefused: (refusals) => connections.refused(cluster, refusals),
    onBehind: (verdict, behind) => log.warn('the agent has newer outputs', { verdict, behind }),
    onResync: (reason) => log.info('the agent asks for a resync', { reason }),
    onEnd: (reason) => {
      ended();
      log.info('pull stream ended', { reason: reason?.message });
    },
  });
}
