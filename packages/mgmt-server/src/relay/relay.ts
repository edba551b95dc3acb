/** The relay: agents' streams into and out of the fleet state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { relayLogger } from '@meshrelay/cluster-controllers';
import { hostPort, type ListenAddress } from '@meshrelay/host';
import { readCertificates } from '@meshrelay/pki';
import { key } from '@meshrelay/relay-core';
import {
  asRelayError,
  CAPABILITIES,
  inputName,
  KindSets,
  type PullMachine,
  PullSender,
  PushReceiver,
  RelayError,
  type RelayServer,
  type RelayServerOptions,
  type RelaySession,
  startRelayServer,
} from '@meshrelay/relay-protocol';
import { type Logger, type Tracer, traceOf } from '@meshrelay/telemetry';
import type { MeshIssuer } from '../certificates/mesh-issuer.ts';
import { notRegistered } from '../identity/agent-peers.ts';
import type { Identity } from '../identity/identity.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { EncodedOutput } from '../status/policy-outcomes.ts';
import type { Fleet } from '../store/fleet.ts';
import type { AgentCallers } from './agent-callers.ts';
import type { Connections } from './connections.ts';
import { observedPull } from './observed-pull.ts';

export interface RelayPortOptions {
  readonly listen: ListenAddress;
  readonly identity: Pick<Identity, 'peers' | 'tokens' | 'registrar' | 'renewals' | 'trusts' | 'upkeep'>;
  readonly machines: ServerMachines;
  readonly issuer: Pick<MeshIssuer, 'sign'>;
  readonly agents: AgentCallers;
  /**
   * Called when the relay closes a connection for its behaviour, or rejects or ends a call for its caller or content.
   */
  readonly onConnectionRefused: (reason: string) => void;
  readonly onCallRefused: (method: string, code: string) => void;
  readonly logger: Logger;
}

export interface RelayOptions {
  readonly fleet: Fleet;
  /** Name of the server's own cluster, if it participates without an agent. */
  readonly ownCluster: string | undefined;
  readonly management: Pick<ManagementInputs, 'registryKnown' | 'registry'>;
  readonly outputs: ClusterOutputs;
  readonly connections: Connections;
  /** Whether another replica reports that a cluster's registration has ended, and this one cannot confirm it yet. */
  readonly isEndedOnPeer: (cluster: string) => boolean;
  /** An agent has accepted these objects, or all. */
  readonly taken: (cluster: string, objects: readonly EncodedOutput[] | 'all') => void;
  /** An agent has seen newer inputs than this replica, in these components. */
  readonly behind: (cluster: string, components: readonly string[]) => void;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/** Milliseconds that a caller waits after a start until the registered clusters are synced. */
const REGISTRY_WAIT = 5_000;

export type ServerMachines = Pick<RelayServerOptions, 'onPush' | 'onPull'>;

/** The server's ends of the streams of all clusters, on any transport. */
export function serverMachines(options: RelayOptions): ServerMachines {
  const kindSets = new KindSets();
  return {
    onPush: (session) => pushMachine(options, session, kindSets),
    onPull: (session) => pullMachine(options, session, kindSets),
  };
}

/** Starts the relay's port. @throws Error if it cannot bind the address */
export async function startRelay({
  listen,
  identity,
  machines,
  issuer,
  agents,
  onConnectionRefused,
  onCallRefused,
  logger,
}: RelayPortOptions): Promise<RelayServer> {
  const { peers, tokens, registrar, renewals, trusts, upkeep } = identity;
  const relay = await startRelayServer({
    address: hostPort(listen),
    tls: upkeep.current.tls,
    identify: (certificatePem) => peers.identify(certificatePem),
    ...(tokens === undefined ? {} : { identifyToken: (token, cluster) => tokens.identify(token, cluster) }),
    register: (request, context) => registrar.register(request, context),
    renew: (request, context) => renewals.renew(request, context),
    trust: (request, caller) => trusts.answer(request, caller),
    sign: (request, caller) => issuer.sign(request, caller.cluster),
    ...machines,
    onConnectionRefused,
    onRefused: ({ code }, method) => onCallRefused(method, code),
    onInvoke: (session) => agents.open(session),
    logger: relayLogger(logger),
  });
  upkeep.listen(({ tls }) => {
    relay.replaceTls(tls);
    void agents.checkTrust();
  });
  return relay;
}

/** Whether a cluster is registered. @throws RelayError RELAY_E_UNAVAILABLE while the registrations are not synced */
export async function isRegistered(
  { fleet, management, isEndedOnPeer }: Pick<RelayOptions, 'fleet' | 'management' | 'isEndedOnPeer'>,
  cluster: string,
): Promise<boolean> {
  if (isEndedOnPeer(cluster)) throw endedOnPeer(cluster);
  if (fleet.isRegistered(cluster)) return true;
  if (!management.registryKnown) {
    await Promise.race([management.registry, sleep(REGISTRY_WAIT, undefined, { ref: false })]);
  }
  if (fleet.isRegistered(cluster)) return true;
  if (management.registryKnown) return false;
  throw new RelayError('RELAY_E_UNAVAILABLE', 'the registered clusters are not known yet; try again');
}

function pushMachine(options: RelayOptions, session: RelaySession, kindSets: KindSets): PushReceiver {
  const { fleet, connections, tracer, logger } = options;
  const { cluster, hello } = session;
  refuseUnwelcome(options, session);
  const { version: last, complete = false } = fleet.progress.get(cluster) ?? {};
  const log = logger.with({ cluster, term: hello.term });
  let ended = (): void => undefined;
  return new PushReceiver({
    cluster,
    ...(last === undefined ? {} : { last }),
    complete,
    contentIndex: fleet.contentIndex(cluster),
    quarantine: fleet.quarantine(cluster),
    kindSets,
    capabilities: CAPABILITIES,
    sink: {
      began: (term, kinds, resumed) => {
        ended = connections.opened(session, expiryOf(session));
        log.info('push stream began', { address: session.address, program: hello.program, resumed });
        fleet.open(cluster, term, kinds, resumed).catch((error: unknown) => session.close(asRelayError(error)));
      },
      accept: (batch) => {
        const input = inputName(cluster, batch);
        const { kind, upserts, deletes } = batch;
        const attributes = { input, kind: kind.kind, upserts: upserts.length, deletes: deletes.length };
        log.debug('inputs arrived', attributes);
        return tracer.span('store.accept', { attributes, parent: traceOf(input) }, async (span) => {
          const refused = await fleet.accept(batch);
          span.set({ refused: refused.length });
          return refused;
        });
      },
      refused: (rejections) => fleet.refused(cluster, rejections),
      heartbeat: ({ lags = [] }) => connections.lags(cluster, 'inputs', lags),
      ended: (reason) => {
        ended();
        log.info('push stream ended', { reason: reason?.message });
      },
    },
  });
}

function pullMachine(options: RelayOptions, session: RelaySession, kindSets: KindSets): PullMachine {
  const { outputs, connections, taken, behind, logger } = options;
  const { cluster, hello } = session;
  refuseUnwelcome(options, session);
  const log = logger.with({ cluster, term: hello.term });
  const ended = connections.opened(session, expiryOf(session));
  const sender = new PullSender({
    cluster,
    outputs: outputs.of(cluster),
    kindSets,
    capabilities: CAPABILITIES,
    onApplied: () => {
      outputs.caughtUp(cluster);
      connections.behind(cluster, []);
    },
    onRefused: (rejections) => connections.refused(cluster, rejections),
    onSettled: () => taken(cluster, 'all'),
    onBehind: (result, components) => {
      log.warn('the agent has newer inputs; it accepts no outputs until this server has them, too', {
        result,
        components,
      });
      connections.behind(cluster, components);
      behind(cluster, components);
    },
    onResync: (reason) => log.info('the agent asks for a resync', { reason }),
    onEnd: (reason) => {
      ended();
      log.info('pull stream ended', { reason: reason?.message });
    },
  });
  return observedPull(
    sender,
    (objects) => {
      connections.taken(cluster, objects);
      taken(cluster, objects);
    },
    (lags) => connections.lags(cluster, 'outputs', lags),
  );
}

/** Rejects callers whose registration has ended since they were identified, and agents of directly reached clusters. */
function refuseUnwelcome(options: RelayOptions, { cluster, credential }: RelaySession): void {
  const { fleet, ownCluster, isEndedOnPeer } = options;
  if (isEndedOnPeer(cluster)) throw endedOnPeer(cluster);
  if (!fleet.isRegistered(cluster)) throw new RelayError('RELAY_E_UNAUTHENTICATED', notRegistered(cluster));
  if (credential.kind === 'in-process') return;
  const isDirect = cluster === ownCluster || fleet.fleetState.clusters.get(key(cluster))?.secretName !== undefined;
  if (!isDirect) return;
  throw new RelayError(
    'RELAY_E_UNAUTHENTICATED',
    `this server reaches cluster ${cluster} itself; remove spec.secretName of its KubernetesCluster so that an agent can connect`,
  );
}

function endedOnPeer(cluster: string): RelayError {
  return new RelayError(
    'RELAY_E_UNAVAILABLE',
    `another replica reports that the registration of cluster ${cluster} has ended, and the management cluster is unreachable from here; try again`,
  );
}

/** Expiry of the agent's verified certificate; undefined if it has none. */
function expiryOf({ credential }: RelaySession): Date | undefined {
  if (credential.kind !== 'certificate') return undefined;
  return readCertificates(credential.pem, 'client certificate', { max: 1 })[0]?.notAfter;
}
